/** The footer of a printed page: the address of exactly this state, and the day. */

import { write } from "./dom";

/** Write it whenever the page is printed. */
export function writeFooterOnPrint(root: HTMLElement, signal: AbortSignal): void {
  const footer = root.querySelector<HTMLElement>("[data-printed]");
  if (!footer) return;
  const print = (): void => write(footer, `Printed ${new Date().toISOString().slice(0, 10)} from ${location.href}`);
  window.addEventListener("beforeprint", print, { signal });
}
