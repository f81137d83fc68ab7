/**
 * Replaces the service worker when the site is built without one: it removes the worker of an earlier release, which
 * would show that release without end, and everything it kept.
 */

import type { ToServiceWorker } from "../engine/protocol";

declare const self: ServiceWorkerGlobalScope;

self.addEventListener("install", () => void self.skipWaiting());
// Pages ask again when the browser forgot it (offline.ts).
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
