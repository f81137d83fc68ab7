/** What a sheet of paper says of where it comes from: the address of exactly this state, and the day. */

import { write } from "./writing";

/** Bring it up to date whenever the page is printed. */
export function listenForPrinting(root: HTMLElement, signal: AbortSignal): void {
  const place = root.querySelector<HTMLElement>("[data-printed]");
  if (!place) return;
  const told = (): void => write(place, `Printed ${new Date().toISOString().slice(0, 10)} from ${location.href}`);
  window.addEventListener("beforeprint", told, { signal });
}
