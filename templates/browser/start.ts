/**
 * The script of every page: `<script type="module" src="…/assets/start-HASH.js">`. It runs Material's too.
 *
 * All addresses follow from this file's own, so the site works at a domain's root, under /<repo>/ and wherever it is
 * unpacked, and instant navigation, which changes the page's address, changes nothing: the engine is in ../engine/.
 * esbuild fills in WORKER (the source of its worker), REVIEW, RECORDS, OWN_FACTS, OFFERS and FINDER (hashed names of scripts that
 * are loaded on demand), ENGINE (the manifest) and OFFLINE (whether there is a service worker). Elements that come and go
 * with instant navigation mount and unmount themselves; the engine stays.
 */

import { atRest, isMetered, whenIdle } from "./engine/connection";
import { defineCalculator } from "./calculator/element";
import { Engine } from "./engine/engine";
import type { EngineManifest } from "./engine/protocol";
import { followLinks } from "./page/navigation";
import { unloadPreviousPage } from "./page/unload";
import { findByKeys } from "./find/keys";
import { takeDroppedFacts } from "./own/dropped";
import { embed } from "./page/embed";
import { makeMenuReachable } from "./page/menu";
import { defineNumbers } from "./page/numbers";
import { workOffline } from "./offline/offline";
import { explainReplaced } from "./offline/update";
import { afterFirstPaint } from "./page/paint";
import { keepStateOnAnchors } from "./page/anchors";
import { switchPalette } from "./page/palette";
import { defineOnDemand } from "./page/on-demand";
import { fetchEntriesEarly } from "./page/search";
import { explainTerms } from "./page/terms";
import { runTheme } from "./page/theme";
import { defineWideFigure } from "./page/wide-figure";

declare const WORKER: string;
declare const RECORDS: string;
declare const OWN_FACTS: string;
declare const OFFERS: string;
declare const FINDER: string;
declare const ENGINE: EngineManifest;
declare const OFFLINE: boolean;

const THEME_WAITS_MS = 1500;
const here = import.meta.url;
const engine = new Engine(WORKER, new URL("../engine/", here).href, ENGINE);

function startWhenIdle(): void {
  if (isMetered() || !document.querySelector("ai-calculator")) return;
  whenIdle(() => engine.start());
}

defineCalculator(engine);
delete document.documentElement.dataset["linked"]; // set in templates/theme/main.html; the calculators take over
embed();
keepStateOnAnchors();
defineNumbers();
defineOnDemand("ai-records", engine, new URL(RECORDS, here).href);
defineOnDemand("ai-offers", engine, new URL(OFFERS, here).href);
defineOnDemand("ai-own-facts", engine, new URL(OWN_FACTS, here).href);
findByKeys(new URL(FINDER, here).href);
takeDroppedFacts(new URL("../own-facts/", here).href);
defineWideFigure();
explainTerms();
makeMenuReachable();
switchPalette();
fetchEntriesEarly(new URL("../", here).href);
startWhenIdle();
explainReplaced(engine, here);
if (OFFLINE) workOffline(new URL("../service-worker.js", here).href, engine);
// Material's script takes time in which a reader who touched a calculator would wait for the answer.
afterFirstPaint(() => void atRest(engine, THEME_WAITS_MS).then(runTheme).then(themeRuns));

function themeRuns(): void {
  followLinks(new URL("../", here).href);
  // Material emits when instant navigation has shown another page.
  (window as { document$?: { subscribe(seen: () => void): void } }).document$?.subscribe(() => {
    unloadPreviousPage();
    if (document.readyState === "complete") startWhenIdle();
  });
}
