/** Python starts, in the worker: as the machine that the build made, or plainly, as Pyodide does by itself. */

import { Downloads } from "./downloads";
import { Machine } from "./machine";
import { startPlainly } from "./plain";
import { filesFor, type EngineManifest, type Respond, type Start } from "./protocol";

/** Start; rejects with what was wrong. It may also wait for ever, so the page keeps watch. */
export async function start(
  { way, base, manifest, isServed }: Start,
  progress: (loaded: number, total: number) => void,
): Promise<Respond> {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly, or it is switched off");
  const total = filesFor(way, manifest).reduce((sum, file) => sum + file.size, 0);
  const downloads = new Downloads(base, total, isServed, progress);
  const started = way === "machine" ? startMachine(manifest, downloads) : startPlainly(manifest, downloads, base);
  const respond = await Promise.race([started, downloads.failed]);
  JSON.parse(respond("{}")); // it answers
  return respond;
}

async function startMachine({ files, machine: info }: EngineManifest, downloads: Downloads): Promise<Respond> {
  if (!files.machine || !files.image || !info) throw new Error("there is no machine");
  const machine = new Machine(info);
  // Memory fills and WebAssembly is compiled while they arrive.
  const filled = downloads.file(files.image).then(({ body }) => machine.fill(body));
  filled.catch(() => {}); // it is heard of below
  const compiled = await WebAssembly.compileStreaming(downloads.file(files.machine)).catch((error: unknown) => {
    throw new Error("WebAssembly could not be started", { cause: error });
  });
  const respond = await machine.run(compiled);
  await filled;
  return respond;
}
