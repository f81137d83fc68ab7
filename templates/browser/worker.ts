/**
 * The engine's worker: Python with the calculators in it. It starts when told where its files are, then answers texts
 * with texts (calculators/bridge.py). It is loaded by a blob that only imports this file (spawn.ts says why).
 */

import { Downloads } from "./downloads";
import type { EngineManifest, FromWorker, ToWorker } from "./messages";

declare const self: DedicatedWorkerGlobalScope;
type Pyodide = typeof import("pyodide");
type Respond = (text: string) => string;

let respond: Respond | undefined;

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "ask") answer(data.id, data.texts);
  else if (data.kind === "ping") say({ kind: "pong" });
  else {
    hold(data.lock);
    start(data.base, data.manifest).then(
      () => say({ kind: "live" }),
      (error: unknown) => say({ kind: "failed", reason: sentence(error) }),
    );
  }
});

function say(message: FromWorker): void {
  self.postMessage(message);
}

/** Hold a lock for good: its becoming free tells the page that this worker is no more. */
function hold(lock: string): void {
  void navigator.locks?.request(lock, () => {
    say({ kind: "held" });
    return new Promise(() => {});
  });
}

function answer(id: number, texts: readonly string[]): void {
  try {
    const ask = respond;
    if (!ask) throw new Error("Python is not running");
    say({ kind: "answer", id, texts: texts.map((text) => ask(text)) });
  } catch (error) {
    say({ kind: "failed", reason: sentence(error) }); // the bridge never raises: the runtime itself is broken
  }
}

async function start(base: string, { files, info }: EngineManifest): Promise<void> {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly, or it is switched off");
  const address = (file: { path: string }): string => new URL(file.path, base).href;
  const total = Object.values(files).reduce((sum, file) => sum + file.size, 0);
  const downloads = new Downloads(total, (loaded) => {
    say({ kind: "progress", loaded, total });
    if (loaded >= total) say({ kind: "starting" });
  });
  for (const file of [files.wasm, files.library, files.calculators]) downloads.begin(address(file), file);
  downloads.serve(self);
  const compiled = watchedCompilation();
  const archive = self.fetch(address(files.calculators)).then((response) => response.arrayBuffer());
  archive.catch(() => {}); // `downloads.failed` says so first
  const started = async (): Promise<Respond> => {
    const [{ loadPyodide }, glue] = await Promise.all([
      downloads.module<Pyodide>(address(files.loader), files.loader),
      downloads.module<{ default: never }>(address(files.glue), files.glue),
    ]);
    if (typeof loadPyodide !== "function") throw new Error("pyodide.js is damaged");
    const indexURL = new URL(".", address(files.loader)).href;
    const pyodide = await loadPyodide({
      indexURL,
      createPyodideModule: glue.default, // else Pyodide looks for it under the name it has in its package
      packageBaseUrl: indexURL,
      stdLibURL: address(files.library),
      lockFileContents: { info, packages: {} } as never, // there is nothing to install but the calculators
      env: { PYTHONDONTWRITEBYTECODE: "1" },
    });
    pyodide.unpackArchive(await archive, "zip");
    return pyodide.pyimport("calculators.bridge").respond as Respond;
  };
  respond = await Promise.race([started(), downloads.failed, compiled]);
}

/** Rejects when the WebAssembly does not compile: Pyodide only logs that, and waits for ever. */
function watchedCompilation(): Promise<never> {
  const compile = WebAssembly.instantiateStreaming;
  return new Promise((_, reject) => {
    WebAssembly.instantiateStreaming = (source, imports) => {
      const compiled = compile(source, imports);
      compiled.catch((error: unknown) => reject(new Error("WebAssembly could not be started", { cause: error })));
      return compiled;
    };
  });
}

/** Not everything that is thrown is an Error. A Python traceback's last line says what happened. */
function sentence(error: unknown): string {
  const text = (error as Partial<Error> | undefined)?.message ?? String(error);
  return text.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
}
