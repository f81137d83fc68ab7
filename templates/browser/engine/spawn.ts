/** Starts a worker for the engine, and notices when it dies. */

import { ownFacts } from "../own/storage";
import { program } from "../page/trusted";
import type { EngineManifest, FromWorker, ToWorker, Way } from "./protocol";
import { Watchdog } from "./watchdog";

const PONG_WITHIN_MS = 1000;

export interface Spawned {
  post(message: ToWorker): void;
  end(): void;
}

let spawned = 0;

/**
 * Start a worker of this source. `died` is called once at most, and never after `end`.
 *
 * The page's content policy (a <meta> element) does not apply to a worker loaded from an address, but does to one made
 * from a blob of the page; and a blob needs no request.
 *
 * Browsers send no event when a worker ends. But a lock it holds becomes free: the page waits for that lock, and when it
 * gets it, asks whether the worker is still there, since a page restored from the browser's cache gets it too. Without
 * locks (plain http) the engine's watchdog notices, later.
 */
export function spawn(
  way: Way,
  source: string,
  base: string,
  manifest: EngineManifest,
  received: (message: FromWorker) => void,
  died: (reason: string) => void,
): Spawned {
  const blob = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(program(blob), { type: "module", name: "engine" });
  const lock = `engine ${performance.timeOrigin} ${Math.random()} ${++spawned}`; // locks are shared by all tabs
  const over = new AbortController();
  const watchdog = new Watchdog();

  const post = (message: ToWorker): void => worker.postMessage(message);
  const end = (): void => {
    worker.onmessage = worker.onerror = worker.onmessageerror = null;
    over.abort();
    watchdog.disarm();
    worker.terminate();
    URL.revokeObjectURL(blob);
  };
  const lost = (reason: string): void => {
    end();
    died(reason);
  };
  const doubt = (): void => {
    if (over.signal.aborted) return;
    watchdog.arm(PONG_WITHIN_MS, () => lost("the browser ended it"));
    post({ kind: "ping" });
  };

  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.kind === "pong") watchdog.disarm();
    else if (data.kind === "held") navigator.locks.request(lock, { signal: over.signal }, doubt).catch(() => {});
    else received(data);
  };
  worker.onmessageerror = () => lost("its answer could not be read");
  worker.onerror = (event) => {
    event.preventDefault();
    lost(event.message || "its program could not be loaded");
  };
  const { serviceWorker } = navigator as Partial<Navigator>; // not there on plain http
  post({ kind: "start", way, base, manifest, isServed: Boolean(serviceWorker?.controller), lock, facts: ownFacts() });
  return { post, end };
}
