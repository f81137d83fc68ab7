/**
 * The page's side of offline use: registers the service worker when the browser is idle, has it keep the engine, and
 * shows a notice when a new release took over. Where browsers refuse, the site works online only.
 */

import { atRest, isMetered, whenIdle } from "../engine/connection";
import type { Engine } from "../engine/engine";
import type { ToServiceWorker } from "../engine/protocol";
import { program } from "../page/trusted";
import { showUpdate } from "./update";

const ENGINE_FIRST_MS = 8000;
const LOOK_AGAIN_MS = 60 * 60_000;
const ASK_AGAIN_MS = 2000;
const DAMAGED =
  "A file of Python in this browser’s storage was damaged, so the results were not certain and have been removed. It is loaded again when you try again.";

/** `script` is the address of the service worker, next to the home page. */
export function workOffline(script: string, engine: Engine): void {
  const workers = (navigator as Partial<Navigator>).serviceWorker; // not there on plain http
  if (!workers) return;
  const preferred = engine.way;
  // Either of the two can reach this page: it may have been loading when the new release took over.
  const wasControlled = workers.controller !== null;
  workers.addEventListener("message", ({ data }) => {
    if (data === "updated") showUpdate();
    if (data === "damaged" && engine.state === "live" && engine.way === preferred) engine.distrust(DAMAGED);
  });
  workers.addEventListener("controllerchange", () => {
    if (wasControlled) showUpdate();
  });
  const send = (message: ToServiceWorker): void => {
    workers.ready.then(({ active }) => active?.postMessage(message), () => {});
  };
  // Or neither, if it took over before this script could listen: the worker then compares the times.
  const [navigation] = performance.getEntriesByType("navigation");
  const fetchStart = navigation instanceof PerformanceNavigationTiming ? navigation.fetchStart : 0;
  if (wasControlled) send({ askedFor: performance.timeOrigin + fetchStart });
  const engineChanged = (): void => {
    if (engine.state === "failed" || engine.way !== preferred) send("check the engine");
    if (engine.state !== "live") return;
    send(engine.way === preferred ? "keep the engine" : "keep the engine and its spare");
    // What was kept and changed at equal length starts, and may run: digests take too long to be waited for.
    if (wasControlled) whenIdle(() => send("check the engine"));
  };
  let known = engine.state;
  engine.addEventListener("change", () => {
    if (known !== engine.state) engineChanged();
    known = engine.state;
  });

  const register = async (): Promise<void> => {
    try {
      const registration = await workers.register(program(script));
      if (wasControlled) registration.update().catch(() => {}); // browsers check by themselves, but late
      lookAgain(registration);
      activateWaiting(registration);
      send("keep the pages");
    } catch {
      return; // a private window, or switched off
    }
    if (engine.state === "idle" && !isMetered()) whenIdle(() => send("keep the engine"));
  };
  whenIdle(() => void atRest(engine, ENGINE_FIRST_MS).then(register));
}

/** A tab may stay open for days: check for a new release when the reader comes back to it. */
function lookAgain(registration: ServiceWorkerRegistration | undefined): void {
  let looked = performance.now();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || performance.now() - looked < LOOK_AGAIN_MS) return;
    looked = performance.now();
    registration?.update().catch(() => {}); // offline
  });
}

/** Chromium sometimes forgets that an installed worker skips waiting: ask until it is active. */
function activateWaiting(registration: ServiceWorkerRegistration): void {
  const ask = (): void => {
    if (!registration.waiting) return;
    registration.waiting.postMessage("take over" satisfies ToServiceWorker);
    setTimeout(ask, ASK_AGAIN_MS);
  };
  const watch = (worker: ServiceWorker | null): void =>
    worker?.addEventListener("statechange", () => setTimeout(ask, ASK_AGAIN_MS), { once: true });
  ask();
  watch(registration.installing);
  registration.addEventListener("updatefound", () => watch(registration.installing));
}
