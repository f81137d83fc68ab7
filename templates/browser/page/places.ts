/**
 * Links to places on the page of a calculator: they go there, but leave the address alone, because its fragment is the
 * calculator's state, which a reload, a copied address and the way back must bring again. Without script they are
 * ordinary anchors.
 */

import { destination, isHere } from "./follow";

/** Before the theme's own listener, and before the browser. */
export function keepStateAtPlaces(): void {
  document.addEventListener(
    "click",
    (event) => {
      const url = destination(event);
      if (!url || !isHere(url) || url.hash.includes("=") || !document.querySelector("ai-calculator.calculator")) return;
      const place = url.hash === "" ? document.body : document.getElementById(decodeURIComponent(url.hash.slice(1)));
      if (!place) return;
      event.preventDefault();
      event.stopPropagation();
      go(place);
    },
    { capture: true },
  );
}

/** As the browser goes to an anchor: what is folded unfolds, and the keyboard goes on from there. */
function go(place: HTMLElement): void {
  for (let fold = place.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
  if (!place.hasAttribute("tabindex") && place.tabIndex < 0) place.tabIndex = -1;
  place.focus({ preventScroll: true });
  if (place === document.body) window.scrollTo({ top: 0 });
  else place.scrollIntoView();
}
