/** Python starts, in the worker: as the snapshot that the build made, or plainly, as Pyodide does by itself. */

import { Downloads } from "./downloads";
import { Snapshot } from "./snapshot";
import { startPlainly } from "./plain";
import { filesFor, type EngineManifest, type Respond, type Start } from "./protocol";

/** Start; rejects with what was wrong. It may also never settle, so the page keeps watch. */
export async function start(
  { way, base, manifest, isServed, facts }: Start,
  progress: (loaded: number, total: number) => void,
): Promise<Respond> {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly, or it is switched off");
  const total = filesFor(way, manifest).reduce((sum, file) => sum + file.size, 0);
  const downloads = new Downloads(base, total, isServed, progress);
  const started = way === "snapshot" ? startSnapshot(manifest, downloads) : startPlainly(manifest, downloads, base, facts);
  const respond = await Promise.race([started, downloads.failed]);
  JSON.parse(respond("{}")); // it answers
  return respond;
}

async function startSnapshot({ files, snapshot: info }: EngineManifest, downloads: Downloads): Promise<Respond> {
  if (!files.snapshot || !files.image || !info) throw new Error("there is no snapshot");
  const snapshot = new Snapshot(info);
  // Memory fills and WebAssembly is compiled while they arrive.
  const filled = downloads.file(files.image).then(({ body }) => snapshot.fill(body));
  filled.catch(() => {}); // it is heard of below
  const compiled = await WebAssembly.compileStreaming(downloads.file(files.snapshot)).catch((error: unknown) => {
    throw new Error("WebAssembly could not be started", { cause: error });
  });
  const respond = await snapshot.run(compiled);
  await filled;
  return respond;
}
