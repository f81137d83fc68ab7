/** When to load in advance: once the page is readable, browser and engine are idle, and bytes are cheap. */

import type { Engine } from "./engine";

interface Connection extends EventTarget {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

const IDLE_WITHIN_MS = 3000;

/** Whether downloading megabytes in advance would be a nuisance. */
export function isMetered(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return connection?.saveData === true || /2g|3g/.test(connection?.effectiveType ?? "");
}

/** Once the page has loaded and the browser has nothing better to do. */
export function whenIdle(act: () => void): void {
  const idle = (): void => {
    if ("requestIdleCallback" in window) requestIdleCallback(act, { timeout: IDLE_WITHIN_MS });
    else setTimeout(act, IDLE_WITHIN_MS / 10);
  };
  if (document.readyState === "complete") idle();
  else window.addEventListener("load", idle, { once: true });
}

/** Resolves when the engine is idle, or after `withinMs`. */
export function atRest(engine: Engine, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (!engine.isBusy) return resolve();
    engine.addEventListener("rest", () => resolve(), { once: true });
    setTimeout(resolve, withinMs);
  });
}
