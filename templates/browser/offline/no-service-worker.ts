/**
 * What stands in the service worker's place when the site is built without one: it removes the one that an earlier
 * release left in readers' browsers, which would show that release for ever, and everything that one kept.
 */

import type { ToServiceWorker } from "../engine/protocol";

declare const self: ServiceWorkerGlobalScope;

self.addEventListener("install", () => void self.skipWaiting());
// Pages ask again where the browser forgot that (offline.ts), whichever worker it is that waits.
self.addEventListener("message", ({ data }) => {
  if (data === ("take over" satisfies ToServiceWorker)) void self.skipWaiting();
});
self.addEventListener("activate", (event) => event.waitUntil(leave()));

async function leave(): Promise<void> {
  const { scope } = self.registration;
  const ours = (name: string): boolean => name.startsWith(`pages of ${scope} `) || name === `engine of ${scope}`;
  await self.registration.unregister();
  await Promise.all((await caches.keys()).filter(ours).map((name) => caches.delete(name)));
}
