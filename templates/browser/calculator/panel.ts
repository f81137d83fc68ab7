/** The answer stays in sight of whoever changes an input, wherever on the page that input stands. */

/**
 * The answer's column scrolls by itself: what was read at its end, or reached there by keys, would leave it there.
 * Where inputs stand far below (a machine's), `data-answer-away` says that the answer is out of sight.
 */
export function keepAnswerInSight(root: HTMLElement, signal: AbortSignal): void {
  const column = root.querySelector<HTMLElement>(".calculator-answer");
  const answer = column?.querySelector(".answer");
  if (!column || !answer) return;
  const begin = ({ target }: Event): void => {
    if (target instanceof Element && target.closest("[data-input], [data-preset]")) column.scrollTop = 0;
  };
  root.addEventListener("focusin", begin, { signal });
  if (root.dataset["machine"] === undefined) return;
  const seen = new IntersectionObserver((entries) => {
    root.toggleAttribute("data-answer-away", entries.at(-1)?.isIntersecting === false);
  });
  seen.observe(answer);
  signal.addEventListener("abort", () => seen.disconnect());
}
