/** Keeps the answer in view while a reader changes an input anywhere on the page. */

/**
 * The answer's column scrolls by itself: reading to its end, or reaching it by keyboard, would leave it there. Where
 * inputs are far below (on a phone, on a system's page), `data-answer-away` says that the answer is out of view.
 */
export function keepAnswerInView(root: HTMLElement, signal: AbortSignal): void {
  const column = root.querySelector<HTMLElement>(".calculator-answer");
  const answer = column?.querySelector(".answer");
  if (!column || !answer) return;
  const scrollUp = ({ target }: Event): void => {
    if (target instanceof Element && target.closest("[data-input], [data-preset]")) column.scrollTop = 0;
    // The browser scrolls only to its caret, and the dock may hide the rest.
    if (target instanceof HTMLTextAreaElement) requestAnimationFrame(() => target.scrollIntoView({ block: "nearest" }));
  };
  root.addEventListener("focusin", scrollUp, { signal });
  const observer = new IntersectionObserver((entries) => {
    root.toggleAttribute("data-answer-away", entries.at(-1)?.isIntersecting === false);
  });
  observer.observe(answer);
  signal.addEventListener("abort", () => observer.disconnect());
}
