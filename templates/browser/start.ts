/**
 * The script of every page: `<script type="module" src="…/assets/start-HASH.js">`. It runs Material's too.
 *
 * Where things are follows from this file's own address, so the site works at a domain's root, under /<repo>/ and
 * wherever it is unpacked, and instant navigation, which changes the page's address, changes nothing: the engine lies in
 * ../engine/. esbuild puts in WORKER (the source of its worker), BENCH and RECORDS (hashed names of what is loaded
 * when it is wanted), ENGINE (the manifest) and OFFLINE (whether there is a service worker). Elements that come and go
 * with instant navigation mount and unmount themselves; the engine stays.
 */

import { atRest, isMetered, whenIdle } from "./engine/connection";
import { define } from "./calculator/element";
import { Engine } from "./engine/engine";
import type { EngineManifest } from "./engine/protocol";
import { followLinks } from "./page/follow";
import { letGo } from "./page/left";
import { reachMenu } from "./page/menu";
import { defineNumbers } from "./page/numbers";
import { workOffline } from "./offline/offline";
import { afterFirstPaint } from "./page/paint";
import { keepStateAtPlaces } from "./page/places";
import { defineRecords } from "./page/records";
import { explainTerms } from "./page/terms";
import { runTheme } from "./page/theme";
import { defineWideFigure } from "./page/wide";

declare const WORKER: string;
declare const RECORDS: string;
declare const ENGINE: EngineManifest;
declare const OFFLINE: boolean;

const THEME_WAITS_MS = 1500;
const here = import.meta.url;
const engine = new Engine(WORKER, new URL("../engine/", here).href, ENGINE);

function startWhenIdle(): void {
  if (isMetered() || !document.querySelector("ai-calculator")) return;
  whenIdle(() => engine.start());
}

define(engine);
delete document.documentElement.dataset["linked"]; // set in templates/theme/main.html: now the calculators know more
keepStateAtPlaces();
defineNumbers();
defineRecords(engine, new URL(RECORDS, here).href);
defineWideFigure();
explainTerms();
reachMenu();
startWhenIdle();
if (OFFLINE) workOffline(new URL("../service-worker.js", here).href, engine);
// It takes the page's time when a reader who has touched a calculator waits for the answer.
afterFirstPaint(() => void atRest(engine, THEME_WAITS_MS).then(runTheme).then(themeRuns));

function themeRuns(): void {
  followLinks(new URL("../", here).href);
  // Material says when instant navigation brought another page.
  (window as { document$?: { subscribe(seen: () => void): void } }).document$?.subscribe(() => {
    letGo();
    if (document.readyState === "complete") startWhenIdle();
  });
}
