/**
 * Shows the definition of a term next to it: on hover, on focus and on a first touch; a second touch follows the link to
 * the glossary. The definition is in each link's `title`, so it is there without script too.
 */

const ID = "term-definition";
const LINE_GAP = 6; // px between the term and its definition
const EDGE = 8; // px to the edge of the window
const LEAVE_MS = 150; // so that the pointer can reach the definition

export function explainTerms(): void {
  const note = document.createElement("div");
  note.id = ID;
  note.setAttribute("role", "tooltip");
  note.hidden = true;
  let shown: HTMLAnchorElement | undefined;
  let touched: HTMLAnchorElement | undefined;
  let leaving = 0;

  const hide = (): void => {
    clearTimeout(leaving);
    shown?.removeAttribute("aria-describedby");
    shown = undefined;
    note.hidden = true;
  };
  const show = (term: HTMLAnchorElement): void => {
    clearTimeout(leaving);
    if (term === shown) return;
    hide();
    term.dataset["definition"] ??= term.title;
    term.removeAttribute("title"); // the browser would show it a second time
    note.textContent = term.dataset["definition"];
    term.setAttribute("aria-describedby", ID);
    document.body.append(note); // instant navigation drops children of the body that it does not know
    note.hidden = false;
    place(note, term);
    shown = term;
  };
  const leave = (): void => {
    clearTimeout(leaving);
    leaving = window.setTimeout(hide, LEAVE_MS);
  };

  document.addEventListener("focusin", (event) => {
    const term = termOf(event);
    if (term) show(term);
    else hide();
  });
  document.addEventListener("focusout", leave);
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const term = termOf(event);
    if (term) show(term);
    else if (event.target === note) clearTimeout(leaving);
    else if (shown && shown !== document.activeElement) leave();
  });
  document.addEventListener("pointerdown", (event) => {
    const term = termOf(event);
    touched = event.pointerType === "touch" && term !== shown ? term : undefined;
    if (!term && event.target !== note) hide();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
  window.addEventListener("resize", hide);
  // Runs before the listeners that follow links.
  document.addEventListener(
    "click",
    (event) => {
      const term = termOf(event);
      if (term && term === touched) {
        event.preventDefault();
        event.stopImmediatePropagation();
        show(term);
      } else if (term) hide();
      touched = undefined;
    },
    { capture: true },
  );
}

function termOf(event: Event): HTMLAnchorElement | undefined {
  return event.target instanceof Element ? (event.target.closest<HTMLAnchorElement>("a.term") ?? undefined) : undefined;
}

/** Below the term's first line, or above it where there is no room; never beyond the window. */
function place(note: HTMLElement, term: Element): void {
  const at = term.getClientRects()[0] ?? term.getBoundingClientRect();
  const { width, height } = note.getBoundingClientRect();
  const room = document.documentElement.clientWidth - EDGE - width;
  const below = at.bottom + LINE_GAP;
  const top = below + height > window.innerHeight ? at.top - LINE_GAP - height : below;
  note.style.insetInlineStart = `${Math.max(EDGE, Math.min(at.left, room)) + window.scrollX}px`;
  note.style.insetBlockStart = `${top + window.scrollY}px`;
}
