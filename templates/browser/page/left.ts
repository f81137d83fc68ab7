/**
 * Pages that were left. Material's script keeps a hold of elements of every page it has shown, and through one element a
 * browser keeps the whole tree: thousands of elements a page, for as long as the tab is open. So what was left is taken
 * apart when there is time, and what nobody holds can go.
 */

import { whenIdle } from "../engine/connection";

const PAGE = '[data-md-component="container"]';
let shown: Element | null = null;

/** Another page may stand now. */
export function letGo(): void {
  const now = document.querySelector(PAGE);
  const left = shown;
  shown = now;
  if (left && left !== now && !left.isConnected) whenIdle(() => takeApart(left));
}

/** Every element by itself: which ones are held is not ours to know. */
function takeApart(tree: Element): void {
  for (const part of [...tree.querySelectorAll("*")].reverse()) part.replaceChildren();
  tree.replaceChildren();
}
