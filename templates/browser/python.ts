/** Python starts, in the worker: from the snapshot of its memory, or plainly, as Pyodide does by itself. */

import { Downloads } from "./downloads";
import type { EngineManifest, Way } from "./messages";
import { completing, type Glue, read } from "./snapshot";

type Pyodide = typeof import("pyodide");
/** Text in, text out: calculators/bridge.py. */
export type Respond = (text: string) => string;

const EMPTY_ZIP = Uint8Array.of(0x50, 0x4b, 0x05, 0x06, ...new Array<number>(18).fill(0));

/** Start; rejects with a sentence's end. It may also wait for ever, so the page keeps watch. */
export async function start(
  way: Way,
  base: string,
  { files, info, memory }: EngineManifest,
  progress: (loaded: number, total: number) => void,
): Promise<Respond> {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly, or it is switched off");
  const address = (file: { path: string }): string => new URL(file.path, base).href;
  const indexURL = new URL(".", address(files.loader)).href;
  const used = [files.loader, files.glue, files.wasm, ...(way === "snapshot" ? [files.snapshot] : [files.library, files.calculators])];
  const downloads = new Downloads(used.reduce((sum, file) => sum + (file?.size ?? 0), 0), progress);
  const begin = (file: (typeof used)[number]): Promise<Response> => {
    if (!file) throw new Error("the site was built without a snapshot");
    return downloads.begin(address(file), file);
  };

  // All at once, the largest first; WebAssembly is compiled while it arrives.
  const compiled = begin(files.wasm).then((response) => WebAssembly.compileStreaming(response));
  const broken = lend(compiled);
  const module = <Module>(file: { path: string; size: number }): Promise<Module> => downloads.module(address(file), file);
  const loader = module<Pyodide>(files.loader);
  const glue = module<{ default: Glue }>(files.glue);
  const options = {
    indexURL,
    packageBaseUrl: indexURL,
    stdLibURL: `${indexURL}library.zip`,
    lockFileContents: { info, packages: {} } as never, // there is nothing to install but the calculators
    env: { PYTHONDONTWRITEBYTECODE: "1" },
  };
  const started = async (): Promise<Respond> => {
    if (way === "snapshot" && memory) {
      const snapshot = begin(files.snapshot).then((response) => read(response, memory));
      snapshot.catch(() => {}); // `downloads.failed` says so first
      stand(self, { [options.stdLibURL]: Promise.resolve(new Response(EMPTY_ZIP)) });
      const [{ loadPyodide }, { default: make }] = await Promise.all([loader, glue]);
      const createPyodideModule = completing(make, snapshot, memory) as never;
      const pyodide = await loadPyodide({ ...options, _loadSnapshot: snapshot, createPyodideModule });
      return pyodide.pyimport("calculators.bridge").respond as Respond;
    }
    const archive = begin(files.calculators).then((response) => response.arrayBuffer());
    archive.catch(() => {});
    stand(self, { [options.stdLibURL]: begin(files.library) });
    const [{ loadPyodide }, { default: make }] = await Promise.all([loader, glue]);
    if (typeof loadPyodide !== "function") throw new Error("pyodide.mjs is damaged");
    const pyodide = await loadPyodide({ ...options, createPyodideModule: make as never });
    pyodide.unpackArchive(await archive, "zip");
    return pyodide.pyimport("calculators.bridge").respond as Respond;
  };
  const respond = await Promise.race([started(), downloads.failed, broken]);
  JSON.parse(respond("{}")); // it answers
  return respond;
}

/** Let Pyodide, which wants to compile WebAssembly from a response, have what is compiled already. Rejects if that fails: Pyodide would only log it, and wait for ever. */
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

/** Let `fetch` give these responses for these addresses. */
function stand(scope: { fetch: typeof fetch }, responses: Readonly<Record<string, Promise<Response>>>): void {
  const network = scope.fetch.bind(scope);
  scope.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href).href;
    return responses[url] ?? network(input, init);
  };
}
