/** One fold of the bench: controls above, and below what Python says of what they ask. */

import { show, write } from "../calculator/writing";
import type { Host } from "../calculator/door";
import type { Answer, Ask, Question, Review, Row, Table } from "../messages";
import { box, button, make } from "./making";

const USE_AT = 2; // the column behind what changes and what it changes to

export abstract class View {
  protected readonly controls = make("div", { class: "bench-controls" });
  private readonly said = make("p", { class: "bench-said", tabindex: "-1", role: "status" });
  private readonly problem = make("p", { class: "field-problem", role: "alert", hidden: "" });
  private readonly drawing = make("wide-figure" as "div", { role: "group", "aria-label": "Chart" });
  private readonly tables = make("div");
  private readonly notes = make("ul", { class: "bench-notes" });
  private standing = "";

  protected constructor(
    protected readonly host: Host,
    protected readonly fold: HTMLElement,
    private readonly asks: Ask,
  ) {
    const body = make("div", { class: "bench-body" }, this.controls, this.problem, this.said, this.drawing, this.tables, this.notes);
    fold.append(body);
    this.controls.addEventListener("input", () => this.refresh(), { signal: host.signal });
    const folded = (): void => void (fold.hasAttribute("open") || fold.removeAttribute("data-consulted"));
    fold.addEventListener("toggle", folded, { signal: host.signal });
  }

  /** What was chosen; nothing while there is nothing to ask. */
  protected abstract question(): Partial<Question> | undefined;

  /** Ask anew, if anybody can see the answer. */
  refresh(): void {
    if (!this.fold.hasAttribute("open")) return;
    const question = this.question();
    if (question) this.host.explore(this.asks, question, (answer) => this.told(answer));
    else this.show({ problem: "", sentences: [], drawing: "", tables: [], notes: [] });
  }

  /** Another answer stands on the page. */
  answered({ problems, texts }: Answer): void {
    this.fold.toggleAttribute("data-outdated", !texts);
    for (const typed of this.tables.querySelectorAll<HTMLInputElement>("[data-hedge]")) {
      const problem = problems?.[typed.dataset["hedge"] ?? ""] ?? "";
      typed.setAttribute("aria-invalid", String(problem !== ""));
      const place = typed.nextElementSibling;
      if (place) write(place, problem);
    }
    if (texts) this.refresh();
  }

  /** Bring the keyboard to what was found, when what it was on is gone. */
  protected focusSaid(): void {
    this.said.focus();
  }

  /** What an answer says besides what is shown. */
  protected learned(_answer: Answer): void {}

  private told(answer: Answer): void {
    const { review, problems, failure } = answer;
    this.learned(answer);
    const wrong = failure ?? Object.values(problems ?? {}).join(" ");
    if (review) this.show(review);
    else if (wrong) this.show({ problem: wrong, sentences: [], drawing: "", tables: [], notes: [] });
  }

  private show({ problem, sentences, drawing, tables, notes }: Review): void {
    write(this.problem, problem);
    show(this.problem, problem !== "");
    this.fold.removeAttribute("data-outdated");
    this.fold.toggleAttribute("data-consulted", true);
    write(this.said, sentences.join(" "));
    this.draw(drawing);
    const whole = JSON.stringify(tables);
    if (whole !== this.standing) {
      this.standing = whole;
      const hadFocus = this.tables.contains(document.activeElement);
      const unfolded = this.tables.querySelector("details[open]") !== null;
      this.tables.replaceChildren(...tables.map((table) => this.table(table, unfolded)));
      if (hadFocus) this.focusSaid();
    }
    this.notes.replaceChildren(...notes.map((note) => make("li", {}, note)));
  }

  private draw(drawing: string): void {
    show(this.drawing, drawing !== "");
    if (drawing === "") return this.drawing.replaceChildren();
    const { documentElement } = new DOMParser().parseFromString(drawing, "image/svg+xml");
    this.drawing.replaceChildren(document.importNode(documentElement, true));
  }

  private table({ title, folded, heads, rows }: Table, unfolded: boolean): HTMLElement {
    const canUse = rows.some(({ changes }) => changes);
    const head = heads.map((text, place) => make("th", { scope: "col", ...(place > 0 && { class: "number" }) }, text));
    if (canUse) head.splice(USE_AT, 0, make("th", { scope: "col" }, make("span", { class: "visually-hidden" }, "Use it")));
    const body = make("tbody", {}, ...rows.map((row) => this.row(row, canUse)));
    const table = make("table", { class: "sheet bench-table" }, make("thead", {}, make("tr", {}, ...head)), body);
    const scroll = make("div", { class: "table-scroll", tabindex: "0", role: "region", "aria-label": title }, table);
    if (!folded) return make("div", {}, make("p", { class: "bench-title" }, title), scroll);
    const fold = make("details", { class: "more-results" }, make("summary", {}, title), scroll);
    fold.open = unfolded;
    return fold;
  }

  private row({ cells, marked, changes, hedge }: Row, canUse: boolean): HTMLElement {
    const shown = cells.map((text, place) => {
      const is = marked.includes(place) ? " marked" : "";
      return place === 0
        ? make("th", { scope: "row", class: is.trim() }, text)
        : make("td", { class: `number${is}` }, text);
    });
    if (canUse) shown.splice(USE_AT, 0, make("td", {}, ...(changes ? [this.use(changes, cells)] : [])));
    const row = make("tr", {}, ...shown);
    if (hedge !== undefined) row.append(this.hedge(hedge, cells[0] ?? ""));
    return row;
  }

  private use(changes: NonNullable<Row["changes"]>, cells: readonly string[]): HTMLElement {
    const said = `Use it: ${cells[0] ?? ""} ${cells[1] ?? ""}`;
    const used = (): void => (this.host.change(changes), this.host.say(`${cells[0] ?? ""}: ${cells[1] ?? ""}`), this.focusSaid());
    return button("Use it", used, { "aria-label": said });
  }

  /** A box for how far an input may be off, which Python reads as a range. */
  private hedge(name: string, label: string): HTMLElement {
    const typed = box();
    typed.dataset["hedge"] = name;
    typed.setAttribute("aria-label", `${label}: from – to`);
    typed.placeholder = "from – to";
    typed.addEventListener("change", () => typed.value.trim() !== "" && this.host.change({ [name]: typed.value }));
    return make("td", {}, typed, make("span", { class: "field-problem-inline", role: "status" }));
  }
}
