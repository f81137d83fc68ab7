/** Moves the explore panel to the number that a reader clicked, and back to its place on the page. */

import { button, element } from "./elements";

const WORKING = "How it is computed";

export class Placement {
  private readonly section: HTMLElement | null;
  private readonly place = document.createComment("explore");
  private readonly head = element("p", { class: "review-head" });
  private from: HTMLElement | undefined;

  constructor(root: HTMLElement, signal: AbortSignal) {
    this.section = root.querySelector<HTMLElement>(".review");
    const pressed = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && this.from) this.leave();
    };
    this.section?.addEventListener("keydown", pressed, { signal });
  }

  /** Move the panel behind the sentence or table that contains a number. */
  bring(from: HTMLElement, result: string): void {
    const near = from.closest<HTMLElement>(".answer, .table-scroll, table.results");
    if (!this.section || !near) return;
    if (!this.place.isConnected) this.section.before(this.place);
    const working = document.getElementById(`how-${result}`);
    const links = working ? [element("a", { href: `#how-${result}` }, WORKING)] : [];
    this.head.replaceChildren(...links, button("Close", () => this.leave()));
    this.section.prepend(this.head);
    near.after(this.section);
    this.from = from;
  }

  private leave(): void {
    if (!this.section || !this.from) return;
    this.head.remove();
    for (const fold of this.section.querySelectorAll("details[open]")) fold.removeAttribute("open");
    this.place.replaceWith(this.section);
    this.from.focus();
    this.from = undefined;
  }
}
