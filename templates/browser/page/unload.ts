/**
 * Frees pages that were left. Material's script keeps references to elements of every page it has shown, and through one
 * element a browser keeps the whole tree, thousands of elements a page, for as long as the tab is open. So a page that
 * was left is taken apart when the browser is idle, and everything without a reference can be collected.
 */

import { whenIdle } from "../engine/connection";

const PAGE = '[data-md-component="container"]';
let shown: Element | null = null;

/** Another page may be shown now. */
export function unloadPreviousPage(): void {
  const now = document.querySelector(PAGE);
  const previous = shown;
  shown = now;
  if (previous && previous !== now && !previous.isConnected) whenIdle(() => takeApart(previous));
}

/** Every element by itself: we cannot know which ones Material references. */
function takeApart(tree: Element): void {
  for (const element of [...tree.querySelectorAll("*")].reverse()) element.replaceChildren();
  tree.replaceChildren();
}
