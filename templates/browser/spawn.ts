/**
 * A new worker. The page's content policy (a <meta> element) does not bind a worker that is loaded from an address, but
 * does bind one that begins as a blob of the page; so a blob of one line imports the real thing.
 */

import type { EngineManifest, FromWorker, ToWorker } from "./messages";

export interface Spawned {
  post(message: ToWorker): void;
  end(): void;
}

/** Start the worker at `script`. `died` is called once at most, and never after `end`. */
export function spawn(
  script: string,
  base: string,
  manifest: EngineManifest,
  heard: (message: FromWorker) => void,
  died: (reason: string) => void,
): Spawned {
  const blob = URL.createObjectURL(new Blob([`import ${JSON.stringify(script)};`], { type: "text/javascript" }));
  const worker = new Worker(blob, { type: "module", name: "engine" });
  const { port1: watch, port2: alive } = new MessageChannel();
  const end = (): void => {
    worker.onmessage = worker.onerror = worker.onmessageerror = null;
    watch.onmessage = null;
    watch.removeEventListener("close", closed);
    watch.close();
    worker.terminate();
    URL.revokeObjectURL(blob);
  };
  const lost = (reason: string): void => {
    end();
    died(reason);
  };
  const closed = (): void => lost("it was ended by the browser");
  watch.addEventListener("close", closed); // where browsers tell; elsewhere the watchdog finds out
  watch.start();
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => heard(data);
  worker.onmessageerror = () => lost("its answer could not be read");
  worker.onerror = (event) => {
    event.preventDefault();
    lost(event.message || "its program could not be loaded");
  };
  worker.postMessage({ kind: "start", base, manifest, alive } satisfies ToWorker, [alive]);
  return { post: (message) => worker.postMessage(message), end };
}
