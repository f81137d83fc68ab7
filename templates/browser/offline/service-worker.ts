/**
 * The site without a network. Every page and its files are cached as one release; the engine's big files are cached once
 * they were used. builder/site/offline.py fills in RELEASE, PAGES (all but the engine) and ENGINE.
 *
 * Releases never mix: each has its own cache, filled completely or not at all, every file checked against its digest;
 * unchanged files are copied from the previous release, not fetched. That one stays for the tabs that still show it. If
 * anything fails here, the network answers.
 */

import { PrecacheController, PrecacheRoute, type PrecacheEntry } from "workbox-precaching";
import { registerRoute, setCatchHandler } from "workbox-routing";
import type { WorkboxPlugin } from "workbox-core/types";
import type { ToServiceWorker } from "../engine/protocol";

declare const self: ServiceWorkerGlobalScope;
declare const RELEASE: string;
declare const PAGES: PrecacheEntry[];
/** `spare`: only the plain start needs it, where the snapshot is usual; `kept`: the name and digest of the unpacked file. */
declare const ENGINE: readonly (Checked & { readonly spare: boolean; readonly kept?: Checked })[];

interface Checked {
  readonly url: string;
  readonly integrity: string;
}

const SCOPE = new URL(self.registration.scope);
// Caches belong to the whole origin, which other sites may share.
const RELEASES = `pages of ${SCOPE.href} `;
const RELEASE_CACHE = RELEASES + RELEASE;
const ENGINE_CACHE = `engine of ${SCOPE.href}`;
const NOT_FOUND = "404.html";
const CODE = "application/wasm";
const absolute = (file: Checked): Checked => ({ ...file, url: new URL(file.url, SCOPE).href });
/** The files to fetch, with the name and digest to keep them under. */
const engineFiles = ENGINE.map(({ spare, kept, ...file }) => ({
  spare,
  isPacked: kept !== undefined,
  source: absolute(file),
  kept: absolute(kept ?? file),
}));

/** A file that another cache has under the same name and revision is the same. */
const adoption: WorkboxPlugin = {
  cachedResponseWillBeUsed: async ({ cacheName, request, cachedResponse, event }) => {
    const known = cachedResponse ?? (await caches.match(request, { ignoreVary: true }));
    if (known && !cachedResponse && event.type === "install") {
      await (await caches.open(cacheName)).put(request, known.clone());
    }
    return known;
  },
};

const release = new PrecacheController({ cacheName: RELEASE_CACHE, plugins: [adoption] });
release.addToCacheList(PAGES);

let tookOver = 0; // when, if this run of the worker did

self.addEventListener("install", (event) => {
  void release.install(event); // extends the event itself
  event.waitUntil(renewedEngine());
  void self.skipWaiting();
});

self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

async function takeOver(): Promise<void> {
  const earlier = (await caches.keys()).filter((name) => name.startsWith(RELEASES) && name !== RELEASE_CACHE);
  await Promise.all(earlier.slice(0, -1).map((name) => caches.delete(name)));
  // Asked now, not at the installation: the browser may have ended and started this worker since. Pages that were served
  // by a worker before this one are of another release, and so are its pages in the cache.
  const isUpdate = earlier.length > 0 || (await self.clients.matchAll()).length > 0;
  await self.clients.claim();
  if (!isUpdate) return;
  tookOver = Date.now();
  for (const client of await self.clients.matchAll({ type: "window" })) client.postMessage("updated");
}

self.addEventListener("message", (event) => {
  const wish = event.data as ToServiceWorker;
  if (wish === "take over") return void self.skipWaiting(); // other work must not delay it
  if (typeof wish === "object") {
    if (wish.askedFor < tookOver) event.source?.postMessage("updated");
    return;
  }
  const handlers: Readonly<Record<Exclude<typeof wish, "take over">, () => Promise<void>>> = {
    "keep the engine": () => keepEngine(false).then(dropOldEngine),
    "keep the engine and its spare": () => keepEngine(true).then(dropOldEngine),
    "keep the pages": () => keepPages(event),
    "check the engine": async () => {
      if (await checkEngine()) event.source?.postMessage("damaged");
    },
  };
  event.waitUntil(inTurn(handlers[wish]).catch(() => {})); // no space or no network: the engine is not available offline
});

let turn: Promise<void> = Promise.resolve();

function inTurn(task: () => Promise<void>): Promise<void> {
  return (turn = turn.catch(() => {}).then(task));
}

/** Readers who have the engine offline get the new one before the new release takes over. */
async function renewedEngine(): Promise<void> {
  try {
    if (await caches.has(ENGINE_CACHE)) await inTurn(() => keepEngine(false));
  } catch {
    // Pages matter more; the engine is cached again when it is used.
  }
}

async function keepEngine(withSpare: boolean): Promise<void> {
  const cache = await caches.open(ENGINE_CACHE);
  for (const { spare, isPacked, source, kept } of engineFiles) {
    if (spare && !withSpare) continue;
    if (await cache.match(kept.url, { ignoreVary: true })) continue;
    // Usually it is in the browser's own cache, since the engine has just started from it.
    const known = fetch(source.url, { integrity: source.integrity, cache: "force-cache" }).then(orError);
    const again = (): Promise<Response> => fetch(source.url, { integrity: source.integrity, cache: "reload" });
    const response = await known.catch(() => again().then(orError));
    await cache.put(kept.url, isPacked ? await unpacked(response, kept) : response);
  }
}

/** The unpacked content, checked against its digest. */
async function unpacked(response: Response, { url, integrity }: Checked): Promise<Response> {
  const content = await new Response(response.body?.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  if ((await digest(content)) !== integrity) throw new Error(`${url} has unexpected content`);
  const type = url.endsWith(".wasm") ? CODE : "application/octet-stream";
  return new Response(content, { headers: { "content-type": type, "content-length": String(content.byteLength) } });
}

async function dropOldEngine(): Promise<void> {
  const cache = await caches.open(ENGINE_CACHE);
  const wanted = new Set(engineFiles.map(({ kept }) => kept.url));
  for (const { url } of await cache.keys()) if (!wanted.has(url)) await cache.delete(url);
}

function orError(response: Response): Response {
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return response;
}

/** Delete files that changed since they were cached; whether there were any. */
async function checkEngine(): Promise<boolean> {
  const cache = await caches.open(ENGINE_CACHE);
  let isDamaged = false;
  for (const { kept } of engineFiles) {
    const found = await cache.match(kept.url, { ignoreVary: true });
    if (!found || (await digest(await found.arrayBuffer())) === kept.integrity) continue;
    isDamaged = (await cache.delete(kept.url)) || isDamaged;
  }
  return isDamaged;
}

/** Browsers that run out of space drop caches, but not this worker: fill them again. */
async function keepPages(event: ExtendableEvent): Promise<void> {
  const kept = await (await caches.open(RELEASE_CACHE)).keys();
  if (kept.length === release.getURLsToCacheKeys().size) return;
  // As at its installation: only then are files fetched with their digests, and all of them kept.
  const installation = { type: "install", waitUntil: (work: Promise<unknown>) => event.waitUntil(work) };
  await release.install(installation as ExtendableEvent);
}

async function digest(content: ArrayBuffer): Promise<string> {
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return `sha256-${btoa(String.fromCharCode(...found))}`;
}

registerRoute(new PrecacheRoute(release, { ignoreURLParametersMatching: [/(?:)/], cleanURLs: false }));

// No server has these: the engine's worker asks for them first, and for the server's files when they are not cached.
const onlyKept = new Set(engineFiles.flatMap(({ isPacked, kept }) => (isPacked ? [kept.url] : [])));
registerRoute(
  ({ url }) => onlyKept.has(url.href),
  async ({ request }) => (await caches.match(request, { ignoreVary: true })) ?? new Response(null, { status: 204 }),
);

// Their names contain a hash of the content, so a copy of any release is right.
registerRoute(
  ({ url }) => isBelow(url, "engine/") || isBelow(url, "assets/"),
  async ({ request }) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request),
);

registerRoute(
  ({ request, url }) => request.mode === "navigate" && isBelow(url, ""),
  async ({ request, url }) => {
    const folder = new URL(`${url.pathname}/${url.search}`, url);
    if (release.getCacheKeyForURL(new URL("index.html", folder).href)) return Response.redirect(folder.href, 301);
    return fetch(request).catch(async (error: unknown) => {
      const page = await release.matchPrecache(new URL(NOT_FOUND, SCOPE).href);
      if (!page) return offlinePage(error);
      return new Response(page.body, { status: 404, headers: page.headers });
    });
  },
);

setCatchHandler(({ request }) =>
  request.mode === "navigate" ? fetch(request).catch(offlinePage) : fetch(request),
);

/** Instead of the browser's error page, where neither a copy of the site nor a network is left. */
function offlinePage(error: unknown): Response {
  console.info(`Nothing of this site is kept: ${String(error)}`);
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Offline</title><main><h1>There is no network</h1>
<p>This browser has dropped its copy of this site to save space. The address holds what you set: reload the page when the
network is back, and the site is kept again.</p><p><a href="">Reload</a></p></main></html>`;
  return new Response(page, { status: 503, headers: { "content-type": "text/html; charset=utf-8" } });
}

function isBelow(url: URL, folder: string): boolean {
  return url.origin === SCOPE.origin && url.pathname.startsWith(SCOPE.pathname + folder);
}
