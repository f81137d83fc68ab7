/**
 * In one column the inputs and the full answer are two tabs below the answer's sentence; elsewhere both are shown. The part
 * that is not shown is `hidden="until-found"`: the browser's own search and links into it bring it back.
 */

const ONE_COLUMN = "screen and (max-width: 59.9em)";
const FOUND = "beforematch"; // what the browser sends before it shows a hidden part

/** Show the tab that contains an element, or the part of it that has one; a filter that leaves it out is emptied. */
export function reveal(element: Element | null | undefined): void {
  const filter = element?.closest(".field[hidden]")?.closest("section")?.querySelector<HTMLInputElement>("[data-filter-inputs]");
  const changed = filter?.closest("section")?.querySelector<HTMLInputElement>("[data-only-changed]");
  if (filter && changed) {
    [filter.value, changed.checked] = ["", false];
    filter.dispatchEvent(new Event("input"));
    element?.closest("details")?.setAttribute("open", "");
  }
  const part = element?.closest("[data-part]") ?? element?.querySelector(":scope > [data-part]");
  part?.dispatchEvent(new Event(FOUND, { bubbles: true }));
}

/** Make the tabs of a calculator's page work. */
export function showOnePart(root: HTMLElement, signal: AbortSignal): void {
  const parts = [...root.querySelectorAll<HTMLElement>("[data-part]")];
  const buttons = root.querySelectorAll<HTMLElement>("[data-tab-of]");
  if (buttons.length === 0) return;
  const narrow = matchMedia(ONE_COLUMN);
  let chosen = "inputs";
  const show = (tab = chosen): void => {
    chosen = tab;
    root.dataset["tab"] = tab;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset["tabOf"] === tab));
    for (const part of parts) {
      if (narrow.matches && part.dataset["part"] !== tab) part.setAttribute("hidden", "until-found");
      else part.removeAttribute("hidden");
    }
  };
  for (const button of buttons) button.addEventListener("click", () => show(button.dataset["tabOf"]), { signal });
  const found = ({ target }: Event): void => {
    const part = target instanceof Element ? target.closest<HTMLElement>("[data-part]") : null;
    if (part) show(part.dataset["part"]);
  };
  root.addEventListener(FOUND, found, { signal });
  narrow.addEventListener("change", () => show(), { signal });
  show();
}
