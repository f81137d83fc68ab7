/** Python starts, in the worker: from the snapshot of its memory, or plainly, as Pyodide does by itself. */

import type { PyodideAPI } from "pyodide";

import { Downloads } from "./downloads";
import { filesFor, type EngineManifest, type Way } from "../messages";
import { Snapshot, type Glue } from "./snapshot";

type Loader = typeof import("pyodide");
/** Text in, text out: calculators/bridge.py. */
export type Respond = (text: string) => string;

const EMPTY_ZIP = Uint8Array.of(0x50, 0x4b, 0x05, 0x06, ...new Array<number>(18).fill(0));

/** Start; rejects with what was wrong. It may also wait for ever, so the page keeps watch. */
export async function start(
  way: Way,
  base: string,
  manifest: EngineManifest,
  progress: (loaded: number, total: number) => void,
): Promise<Respond> {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly, or it is switched off");
  const { files, info, memory } = manifest;
  const total = filesFor(way, manifest).reduce((sum, file) => sum + file.size, 0);
  const downloads = new Downloads(base, total, progress);

  // All at once, and WebAssembly is compiled while it arrives.
  const compiled = downloads.file(files.wasm).then((response) => WebAssembly.compileStreaming(response));
  const broken = lend(compiled);
  const indexURL = new URL(".", new URL(files.loader.path, base)).href;
  const standIns = new Map<string, Promise<Response>>([[`${indexURL}pyodide.asm.wasm`, Promise.resolve(new Response())]]);
  standIn(self, standIns);
  const options = {
    indexURL,
    packageBaseUrl: indexURL,
    stdLibURL: `${indexURL}python_stdlib.zip`,
    lockFileContents: { info, packages: {} } as never, // there is nothing to install but the calculators
    env: { PYTHONDONTWRITEBYTECODE: "1" },
  };
  const modules = Promise.all([downloads.module<Loader>(files.loader), downloads.module<{ default: Glue }>(files.glue)]);

  const plainly = async (): Promise<Respond> => {
    standIns.set(options.stdLibURL, downloads.file(files.library));
    const archive = downloads.file(files.calculators).then((response) => response.arrayBuffer());
    archive.catch(() => {}); // `downloads.failed` says so first
    const [{ loadPyodide }, { default: glue }] = await modules;
    const pyodide = await loadPyodide({ ...options, createPyodideModule: glue as never });
    pyodide.unpackArchive(await archive, "zip");
    return ready(pyodide);
  };
  const fromSnapshot = async (): Promise<Respond> => {
    if (!files.snapshot || !memory) throw new Error("there is no snapshot");
    standIns.set(options.stdLibURL, Promise.resolve(new Response(EMPTY_ZIP)));
    const snapshot = new Snapshot(memory, downloads.file(files.snapshot));
    const [{ loadPyodide }, { default: glue }] = await modules;
    const createPyodideModule = snapshot.completedBy(glue) as never;
    return ready(await loadPyodide({ ...options, _loadSnapshot: snapshot.bytes, createPyodideModule }));
  };
  const started = way === "snapshot" ? fromSnapshot() : plainly();
  const respond = await Promise.race([started, downloads.failed, broken]);
  JSON.parse(respond("{}")); // it answers
  return respond;
}

/** The calculators, imported; what they are made of stays, so the garbage collector need not look at it ever again. */
function ready(pyodide: PyodideAPI): Respond {
  const { respond } = pyodide.pyimport("calculators.bridge") as { respond: Respond };
  pyodide.pyimport("gc").freeze();
  return respond;
}

/**
 * Let Pyodide, which wants to compile WebAssembly from a response, have what is being compiled already. Rejects when
 * that fails: Pyodide itself would only log it, and wait for ever.
 */
function lend(compiled: Promise<WebAssembly.Module>): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = (error: unknown): void => reject(new Error("WebAssembly could not be started", { cause: error }));
    compiled.catch(refuse);
    WebAssembly.instantiateStreaming = async (_source, imports) => {
      try {
        const module = await compiled;
        return { module, instance: await WebAssembly.instantiate(module, imports) };
      } catch (error) {
        refuse(error);
        throw error;
      }
    };
  });
}

/** Let `fetch` give these responses for these addresses, once each. */
function standIn(scope: { fetch: typeof fetch }, responses: Map<string, Promise<Response>>): void {
  const network = scope.fetch.bind(scope);
  scope.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href).href;
    return responses.get(url) ?? network(input, init);
  };
}
