/**
 * A page in another site's frame, asked for with `?embed`: the answer, its verdicts and up to three sliders, with a way
 * to the whole page in the same state. The head of the page has marked the root before the first paint (theme/main.html).
 */

const MOST_SLIDERS = 3;

/** Mark what the frame shows; its style sheet hides the rest. */
export function embed(): void {
  if (document.documentElement.dataset["embed"] === undefined) return;
  for (const calculator of document.querySelectorAll<HTMLElement>("ai-calculator[data-first]")) {
    const names = (calculator.dataset["first"] ?? "").split(" ").slice(0, MOST_SLIDERS);
    for (const name of names) {
      const field = calculator.querySelector(`[data-input="${name}"]`);
      field?.classList.add("in-frame");
      const group = field?.closest("details, fieldset");
      group?.classList.add("in-frame");
      if (group instanceof HTMLDetailsElement) group.open = true;
    }
  }
  const way = document.querySelector<HTMLAnchorElement>("[data-whole-page]");
  for (const sign of ["pointerdown", "focus"]) way?.addEventListener(sign, () => (way.href = location.pathname + location.hash));
}
