/** Delays what the first paint of a page does not need. */

const UNSEEN_MS = 1000;

/** Act once the page was painted, or after a second if it is in a hidden tab. */
export function afterFirstPaint(act: () => void): void {
  if (performance.getEntriesByName("first-contentful-paint").length > 0) return act();
  let done = false;
  const once = (): void => {
    if (!done) act();
    done = true;
  };
  if (PerformanceObserver.supportedEntryTypes.includes("paint")) {
    // The entry comes when the paint is on the screen; an animation frame may come before.
    new PerformanceObserver((seen) => {
      if (seen.getEntriesByName("first-contentful-paint").length > 0) once();
    }).observe({ type: "paint", buffered: true });
  } else requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, UNSEEN_MS);
}
