/** Plain Pyodide with the calculators: works wherever Pyodide does. */

import type { PyodideAPI } from "pyodide";

import type { Downloads } from "./downloads";
import type { EngineManifest, Respond } from "./protocol";

type Loader = typeof import("pyodide");
/** Pyodide's own JavaScript module, which sets up WebAssembly for Python. */
type Glue = (settings: object) => Promise<object>;

/** Where Python finds the facts of a company's site and those of the reader: calculators/facts/overlay.py. */
const HOME = "/home/pyodide";
const OWN_FACTS = `${HOME}/own-facts.toml`;

/** Start Pyodide and import the calculators, with the reader's own facts. It may wait without end where Pyodide does not notice an error. */
export async function startPlainly(
  manifest: EngineManifest,
  downloads: Downloads,
  base: string,
  facts: string,
): Promise<Respond> {
  const { files, info } = manifest;
  // All in parallel, and WebAssembly is compiled while it arrives.
  const compiled = downloads.file(files.wasm).then((response) => WebAssembly.compileStreaming(response));
  const broken = lend(compiled);
  const indexURL = new URL(".", new URL(files.loader.path, base)).href;
  const options = {
    indexURL,
    packageBaseUrl: indexURL,
    stdLibURL: `${indexURL}python_stdlib.zip`,
    lockFileContents: { info, packages: {} } as never, // no packages to install except the calculators
    env: { PYTHONDONTWRITEBYTECODE: "1", CALCULATORS_FACTS: `${HOME}/overlay.toml:${OWN_FACTS}` },
  };
  // Pyodide tries it, to see whether the worker is a classic one; Firefox would report a breach of Trusted Types.
  self.importScripts = () => {
    throw new TypeError("a module worker");
  };
  standIn(self, {
    [`${indexURL}pyodide.asm.wasm`]: Promise.resolve(new Response()),
    [options.stdLibURL]: downloads.file(files.library),
  });
  const archive = downloads.file(files.calculators).then((response) => response.arrayBuffer());
  archive.catch(() => {}); // `downloads.failed` reports it first
  const modules = [downloads.module<Loader>(files.loader), downloads.module<{ default: Glue }>(files.glue)] as const;
  const start = async (): Promise<Respond> => {
    const [{ loadPyodide }, { default: glue }] = await Promise.all(modules);
    const pyodide = await loadPyodide({ ...options, createPyodideModule: glue as never });
    pyodide.unpackArchive(await archive, "zip");
    if (facts !== "") pyodide.FS.writeFile(OWN_FACTS, facts);
    return ready(pyodide);
  };
  return Promise.race([start(), broken]);
}

/** The calculators, imported. */
function ready(pyodide: PyodideAPI): Respond {
  const { respond, settle } = pyodide.pyimport("calculators.bridge") as { respond: Respond; settle: () => void };
  settle();
  return respond;
}

/**
 * Give Pyodide, which would compile WebAssembly from a response, the module that is being compiled already. Rejects when
 * that fails: Pyodide itself would only log it and wait without end.
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

/** Make `fetch` return these responses for these addresses. */
function standIn(scope: { fetch: typeof fetch }, responses: Readonly<Record<string, Promise<Response>>>): void {
  const network = scope.fetch.bind(scope);
  scope.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href).href;
    return responses[url] ?? network(input, init);
  };
}
