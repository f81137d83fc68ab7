/**
 * The one script of every page: `<script type="module" src="…/assets/start-HASH.js">`, and nothing else in the HTML.
 *
 * Where things are follows from this file's own address, so the site works at a domain's root, under /<repo>/ and
 * wherever it is unpacked, and instant navigation, which changes the page's address, changes nothing: the worker lies
 * beside this file, the engine in ../engine/. esbuild puts in WORKER (the worker's hashed name) and ENGINE (the
 * manifest). Elements that come and go with instant navigation mount and unmount themselves; the engine stays.
 */

import { define } from "./element";
import { Engine } from "./engine";
import type { EngineManifest } from "./messages";

declare const WORKER: string;
declare const ENGINE: EngineManifest;

interface Connection extends EventTarget {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

const IDLE_WITHIN_MS = 3000;

const here = import.meta.url;
const engine = new Engine(new URL(WORKER, here).href, new URL("../engine/", here).href, ENGINE);

define(engine);

/** Whether 6 MB that nobody asked for yet would be a nuisance. */
function isMetered(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return connection?.saveData === true || /2g|3g/.test(connection?.effectiveType ?? "");
}

/** Start once the page is readable and the browser has nothing better to do. */
function startWhenIdle(): void {
  if (isMetered() || !document.querySelector("ai-calculator")) return;
  if ("requestIdleCallback" in window) requestIdleCallback(() => engine.start(), { timeout: IDLE_WITHIN_MS });
  else setTimeout(() => engine.start(), IDLE_WITHIN_MS / 10);
}

if (document.readyState === "complete") startWhenIdle();
else window.addEventListener("load", startWhenIdle, { once: true });
// Material says when instant navigation brought another page.
(window as { document$?: { subscribe(seen: () => void): void } }).document$?.subscribe(() => {
  if (document.readyState === "complete") startWhenIdle();
});
