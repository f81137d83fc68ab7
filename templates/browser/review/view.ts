/** One fold of the explore panel: controls above, and the answer from Python below. */

import { show, write } from "../calculator/answer/dom";
import { save } from "../records/files";
import type { Answer, Ask, CellOption, Question, Review, Row, Table } from "../messages";
import { mapCell, moveByArrows, optionCell } from "./cells";
import { box, button, element } from "./elements";
import { csvOf, pngOf, svgOf } from "./export";
import type { Host } from "./host";

const USE_COLUMN = 2; // behind the input and its new value
const NOTHING: Review = { problem: "", sentences: [], drawing: "", tables: [], notes: [] };

export abstract class View {
  protected readonly controls = element("div", { class: "review-controls" });
  private readonly summary = element("p", { class: "review-summary", tabindex: "-1", role: "status" });
  private readonly problem = element("p", { class: "field-problem", role: "alert", hidden: "" });
  private readonly drawing = element("wide-figure" as "div", { role: "group", "aria-label": "Chart" });
  private readonly tables = element("div");
  private readonly saveChart = button("Save chart (SVG)", () => void this.save("svg"));
  private readonly savePicture = button("Save chart (PNG)", () => void this.save("png"));
  private readonly saveTables = button("Save table (CSV)", () => void this.save("csv"));
  private readonly notes = element("ul", { class: "review-notes" });
  private shownTables = "";
  private data: readonly Table[] = [];
  private returnsToCell = false; // a cell was used: its place has the focus once the new table is there

  protected constructor(
    protected readonly host: Host,
    protected readonly fold: HTMLElement,
    private readonly asks: Ask,
  ) {
    const files = element("p", { class: "review-files" }, this.saveChart, this.savePicture, this.saveTables);
    const body = element("div", { class: "review-body" }, this.controls, this.problem, this.summary, this.drawing, this.tables, files, this.notes);
    fold.append(body);
    this.tables.addEventListener("keydown", moveByArrows);
    this.controls.addEventListener("input", () => this.refresh(), { signal: host.signal });
    const folded = (): void => void (fold.hasAttribute("open") || fold.removeAttribute("data-consulted"));
    fold.addEventListener("toggle", folded, { signal: host.signal });
  }

  /** The question for the chosen values; undefined while there is nothing to ask. */
  protected abstract question(): Partial<Question> | undefined;

  /** Ask again, unless the fold is closed. */
  refresh(): void {
    if (!this.fold.hasAttribute("open")) return;
    const question = this.question();
    if (question) this.host.explore(this.asks, question, (answer) => this.received(answer));
    else this.show(NOTHING);
  }

  /** The state changed: what is shown belongs to another. The summary is emptied instead of hidden: it may have the focus. */
  outdate(): void {
    this.fold.toggleAttribute("data-outdated", true);
    this.fold.removeAttribute("data-moving");
    write(this.summary, "");
  }

  /** A new answer is on the page, or there is none: then nothing stays but the boxes for ranges, where it may be corrected. */
  answered({ problems, texts }: Answer): void {
    for (const typed of this.tables.querySelectorAll<HTMLInputElement>("[data-hedge]")) {
      const problem = problems?.[typed.dataset["hedge"] ?? ""] ?? "";
      typed.setAttribute("aria-invalid", String(problem !== ""));
      const message = typed.nextElementSibling;
      if (message) write(message, problem);
    }
    if (texts) this.refresh();
  }

  /** Ask about this result, if the view asks about one. */
  choose(_result: string): void {}

  /** Whether the table shows all that the drawing does, which is then only for files. */
  protected get isTableEnough(): boolean {
    return false;
  }

  /** Move the focus to the answer when the focused element is gone. */
  protected focusSummary(): void {
    this.summary.focus();
  }

  /** Called with every answer, for what a view keeps of it. */
  protected learned(_answer: Answer): void {}

  private received(answer: Answer): void {
    const { review, problems, failure } = answer;
    this.learned(answer);
    const wrong = failure ?? Object.values(problems ?? {}).join(" ");
    if (review) this.show(review);
    else if (wrong) this.show({ ...NOTHING, problem: wrong });
  }

  private show({ problem, sentences, drawing, tables, notes }: Review): void {
    write(this.problem, problem);
    show(this.problem, problem !== "");
    this.fold.removeAttribute("data-outdated");
    this.fold.toggleAttribute("data-consulted", true);
    write(this.summary, sentences.join(" "));
    this.draw(drawing);
    this.data = tables;
    for (const chart of [this.saveChart, this.savePicture]) show(chart, drawing !== "");
    show(this.saveTables, tables.length > 0);
    const whole = JSON.stringify(tables);
    if (whole !== this.shownTables) {
      this.shownTables = whole;
      const hadFocus = this.tables.contains(document.activeElement);
      const focused = document.activeElement?.closest<HTMLElement>(".map-cell")?.title;
      const unfolded = this.tables.querySelector("details[open]") !== null;
      this.tables.replaceChildren(...tables.map((table) => this.table(table, unfolded)));
      if (hadFocus) (mapCell(this.tables, focused) ?? this.summary).focus();
      const cell = this.returnsToCell ? this.tables.querySelector<HTMLElement>("td.marked button") : null;
      if (cell) (cell.focus(), (this.returnsToCell = false));
    }
    this.notes.replaceChildren(...notes.map((note) => element("li", {}, note)));
  }

  private async save(kind: "svg" | "png" | "csv"): Promise<void> {
    const chart = this.drawing.querySelector("svg");
    const drawn = chart ? svgOf(chart, this.summary.textContent ?? "") : "";
    const content = kind === "csv" ? csvOf(this.data) : kind === "png" ? await pngOf(drawn) : drawn;
    if (content) save(`${this.host.name.replaceAll("_", "-")}-${this.asks}.${kind}`, content);
  }

  private draw(drawing: string): void {
    show(this.drawing, drawing !== "" && !this.isTableEnough);
    if (drawing === "") return this.drawing.replaceChildren();
    const hadFocus = this.drawing.contains(document.activeElement);
    this.drawing.replaceChildren(this.host.drawn(drawing));
    this.host.points.drawn(this.drawing, hadFocus);
  }

  private table({ title, folded, heads, rows }: Table, unfolded: boolean): HTMLElement {
    const canUse = rows.some(({ changes }) => changes);
    const head = heads.map((text, column) => element("th", { scope: "col", ...(column > 0 && { class: "number" }) }, text));
    if (canUse) head.splice(USE_COLUMN, 0, element("th", { scope: "col" }, element("span", { class: "visually-hidden" }, "Use this value")));
    const body = element("tbody", {}, ...rows.map((row) => this.row(row, canUse)));
    const table = element("table", { class: "detail-table review-table" }, element("thead", {}, element("tr", {}, ...head)), body);
    const scroll = element("div", { class: "table-scroll", tabindex: "0", role: "region", "aria-label": title }, table);
    if (!folded) return element("div", {}, element("p", { class: "review-title" }, title), scroll);
    const fold = element("details", { class: "more-results" }, element("summary", {}, title), scroll);
    fold.open = unfolded;
    return fold;
  }

  private row({ cells, marked, changes, hedge, options }: Row, canUse: boolean): HTMLElement {
    const shown = cells.map((text, column) => {
      const is = marked.includes(column) ? " marked" : "";
      const option = options?.[column - 1];
      if (option) return optionCell(option, text, is, () => this.take(option));
      return column === 0
        ? element("th", { scope: "row", class: is.trim() }, text)
        : element("td", { class: `number${is}` }, text);
    });
    if (canUse) shown.splice(USE_COLUMN, 0, element("td", {}, ...(changes ? [this.use(changes, cells)] : [])));
    const row = element("tr", {}, ...shown);
    if (hedge !== undefined) row.append(this.hedge(hedge, cells[0] ?? ""));
    return row;
  }

  private use(changes: NonNullable<Row["changes"]>, cells: readonly string[]): HTMLElement {
    const label = `Use this value: ${cells[0] ?? ""} ${cells[1] ?? ""}`;
    const used = (): void => (this.host.change(changes), this.host.notify(`${cells[0] ?? ""}: ${cells[1] ?? ""}`), this.focusSummary());
    return button("Use this value", used, { "aria-label": label });
  }

  /** Use the state of a cell; the cell of the same state has the focus afterwards. */
  private take({ changes, title }: CellOption): void {
    this.host.change(changes);
    this.host.notify(title);
    this.focusSummary();
    this.returnsToCell = true;
  }

  /** A box for the range an input may lie in. */
  private hedge(name: string, label: string): HTMLElement {
    const typed = box();
    typed.dataset["hedge"] = name;
    typed.setAttribute("aria-label", `${label}: range, from – to`);
    typed.placeholder = "from – to";
    typed.addEventListener("change", () => typed.value.trim() !== "" && this.host.change({ [name]: typed.value }));
    return element("td", {}, typed, element("span", { class: "field-problem-inline", role: "status" }));
  }
}
