/** The first picture of a page comes first: whatever is not needed for it waits. */

const UNSEEN_MS = 1000;

/** Do something once the page was painted, or is not going to be soon because nobody looks at it. */
export function afterFirstPaint(act: () => void): void {
  if (performance.getEntriesByName("first-contentful-paint").length > 0) return act();
  let done = false;
  const once = (): void => {
    if (!done) act();
    done = true;
  };
  if (PerformanceObserver.supportedEntryTypes.includes("paint")) {
    // It is told once the picture is on the screen; a frame that was only handed on may still be on its way.
    new PerformanceObserver((seen) => {
      if (seen.getEntriesByName("first-contentful-paint").length > 0) once();
    }).observe({ type: "paint", buffered: true });
  } else requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, UNSEEN_MS);
}
