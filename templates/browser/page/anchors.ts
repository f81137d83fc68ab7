/**
 * Anchors on a calculator's page: they scroll there but leave the address alone, because its fragment is the calculator's
 * state, which a reload, a copied address and Back must restore. Without script they are ordinary anchors.
 */

import { reveal } from "../calculator/tabs";
import { destination, isHere } from "./navigation";

/** Runs before the theme's own listener, and before the browser. */
export function keepStateOnAnchors(): void {
  document.addEventListener(
    "click",
    (event) => {
      const url = destination(event);
      if (!url || !isHere(url) || url.hash.includes("=") || !document.querySelector("ai-calculator.calculator")) return;
      const target = url.hash === "" ? document.body : document.getElementById(decodeURIComponent(url.hash.slice(1)));
      if (!target) return;
      event.preventDefault();
      event.stopPropagation();
      go(target);
    },
    { capture: true },
  );
}

/** Go to an anchor as the browser does: unfold what contains it, and move the focus there. */
function go(target: HTMLElement): void {
  for (let fold = target.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
  reveal(target);
  if (!target.hasAttribute("tabindex") && target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  if (target === document.body) window.scrollTo({ top: 0 });
  else target.scrollIntoView();
}
