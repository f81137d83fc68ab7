/** What follows an answer on the page: uncertainty, thresholds, charts and recommendations. */

import type { Answer, Texts } from "../../messages";
import { drawn } from "../../page/trusted";
import type { ChartPoints } from "./chart-points";
import { byAttribute, rows, show, write, writeAttribute } from "./dom";

const SEARCHING = "Searching…";
const EMPTY = '<svg xmlns="http://www.w3.org/2000/svg"/>';

/** The elements of one row, by use. */
type RowParts = Readonly<Record<"fields" | "bars" | "lines", Map<string, Element[]>>>;

/** Write a text, and show the row around it if there is one. */
function showText(places: NodeListOf<HTMLElement>, row: string, text: string): void {
  for (const element of places) {
    write(element, text);
    const around = element.closest<HTMLElement>(row);
    show(around, text !== "");
    around?.removeAttribute("data-outdated");
  }
}

export class Exploration {
  private readonly swings: HTMLElement | null;
  private readonly recommendations: HTMLElement | null;
  private readonly bands: NodeListOf<HTMLElement>;
  private readonly likely: NodeListOf<HTMLElement>;
  private readonly thresholds: Map<string, Element[]>;
  private readonly following: NodeListOf<HTMLElement>;
  private readonly limits: NodeListOf<HTMLElement>;
  private readonly rowParts = new WeakMap<HTMLElement, RowParts>();
  private changes = new WeakMap<Element, Texts>();
  private about = ""; // the result that has the range

  constructor(private readonly root: HTMLElement, private readonly points: ChartPoints) {
    this.swings = root.querySelector<HTMLElement>("[data-swings]");
    this.recommendations = root.querySelector<HTMLElement>("[data-recommendations]");
    this.bands = root.querySelectorAll<HTMLElement>("[data-band]");
    this.likely = root.querySelectorAll<HTMLElement>("[data-likely]");
    this.thresholds = byAttribute(root, "data-threshold");
    this.following = root.querySelectorAll<HTMLElement>("[data-follows]");
    this.limits = root.querySelectorAll<HTMLElement>('[data-cell="limit"]');
  }

  /** Call `apply` with the changes of the recommendation that the reader clicks. */
  listen(apply: (changes: Texts) => void, signal: AbortSignal): void {
    const taken = ({ target }: Event): void => {
      const button = target instanceof Element ? target.closest("button[data-apply]") : null;
      const changes = button && this.changes.get(button);
      if (changes) apply(changes);
    };
    this.recommendations?.addEventListener("click", taken, { signal });
  }

  /** Whether the page has room for it: a card has none, and need not ask. */
  get isShown(): boolean {
    return this.swings !== null || this.recommendations !== null;
  }

  /** The state changed: nothing found for the one before may be read as its own, or applied. */
  outdate(): void {
    this.changes = new WeakMap();
    for (const element of this.parts()) {
      writeAttribute(element, "data-outdated", "");
      element.removeAttribute("data-moving");
    }
    writeAttribute(this.root, "data-exploring", "");
    // The rows stay, so that the focus does too; without a button they are those built into the page.
    for (const row of this.recommendations?.querySelectorAll<HTMLElement>(".recommendation") ?? []) {
      for (const [name, elements] of byAttribute(row, "data-field")) {
        for (const element of elements) write(element, name === "label" ? SEARCHING : "");
      }
    }
  }

  /** The state has no answer: nothing was found for it, and nothing is to come. */
  empty(): void {
    this.outdate();
    this.show({ swings: [], advice: [], band: "", likely: "", edges: {}, chart: "", tradeoff: "" });
    show(this.recommendations, false);
  }

  /** Show a slice of an exploration. */
  show({ about, swings, band, likely, edges, advice, chart, chart_shows, tradeoff, tradeoff_shows, idle }: Answer): void {
    if (about !== undefined) this.about = about;
    if (band !== undefined) showText(this.bands, "[data-band-row]", band);
    if (likely !== undefined) {
      showText(this.likely, "[data-likely-row]", likely);
      for (const row of this.root.querySelectorAll<HTMLElement>("[data-likely-of]")) {
        if (row.dataset["likelyOf"] !== this.about) show(row, false);
      }
    }
    if (idle) this.root.removeAttribute("data-exploring");
    if (edges) this.showThresholds(edges);
    if (chart !== undefined) this.showDrawn("chart", chart, chart_shows ?? "");
    if (tradeoff !== undefined) this.showDrawn("tradeoff", tradeoff, tradeoff_shows ?? "");
    if (swings) this.showSwings(swings);
    if (advice) this.showRecommendations(advice);
  }

  /** On a system's page, the section that contains `selector` is up to date. */
  renew(selector: string): void {
    for (const element of this.following) if (element.querySelector(selector)) element.removeAttribute("data-outdated");
  }

  /** On a system's page, the bottlenecks are up to date. */
  renewLimits(): void {
    this.renew("[data-level-of]");
    for (const element of this.limits) element.removeAttribute("data-outdated");
  }

  /** The elements that say what an exploration found, each with a mark of its own. */
  private *parts(): Iterable<Element> {
    for (const elements of this.thresholds.values()) yield* elements;
    yield* this.following;
    yield* this.limits;
    if (this.swings) yield this.swings;
    for (const places of [this.bands, this.likely]) {
      for (const element of places) yield element.closest("[data-band-row], [data-likely-row]") ?? element;
    }
    for (const drawn of this.root.querySelectorAll("[data-chart], [data-tradeoff]")) yield drawn.closest("figure") ?? drawn;
  }

  /** The closest threshold of each verdict; an outdated one is hidden but keeps its space. */
  private showThresholds(found: Texts): void {
    for (const [name, elements] of this.thresholds) {
      const text = found[name] ?? "";
      for (const element of elements) {
        for (const part of element.querySelectorAll("[data-threshold-text]")) write(part, text);
        if (element instanceof HTMLElement) show(element, text !== "");
        element.removeAttribute("data-outdated");
      }
    }
  }

  /** Replace a chart by the one that Python drew. */
  private showDrawn(name: "chart" | "tradeoff", drawing: string, shows: string): void {
    const picture = drawn(drawing || EMPTY);
    for (const element of this.root.querySelectorAll(`[data-${name}]`)) {
      const hadFocus = element.contains(document.activeElement);
      element.replaceChildren(picture.cloneNode(true));
      this.points.drawn(element, hadFocus);
      element.closest("figure")?.removeAttribute("data-outdated");
    }
    for (const element of this.root.querySelectorAll(`[data-${name}-shows]`)) write(element, shows);
  }

  private showSwings(swings: NonNullable<Answer["swings"]>): void {
    if (!this.swings) return;
    show(this.swings, swings.length > 0);
    this.swings.removeAttribute("data-outdated");
    rows(this.swings, swings.length).forEach((row, index) => {
      const swing = swings[index];
      if (!swing) return;
      const { bars, lines } = this.fill(row, { label: swing.label, hedge: swing.hedge, result: swing.result });
      for (const bar of bars.get("") ?? []) {
        writeAttribute(bar, "x", swing.x);
        writeAttribute(bar, "width", swing.width);
      }
      for (const line of lines.get("") ?? []) {
        writeAttribute(line, "x1", swing.now);
        writeAttribute(line, "x2", swing.now);
      }
    });
  }

  private showRecommendations(advice: NonNullable<Answer["advice"]>): void {
    if (!this.recommendations) return;
    const hadFocus = this.recommendations.contains(document.activeElement);
    const isRed = this.root.querySelector('.findings > [data-level="bad"]') !== null;
    show(this.recommendations, advice.length > 0 || isRed);
    show(this.recommendations.querySelector<HTMLElement>("[data-no-recommendation]"), advice.length === 0);
    // The rows built into the page have no button.
    for (const row of this.recommendations.querySelectorAll(".recommendation:not(:has(button))")) row.remove();
    rows(this.recommendations, advice.length).forEach((row, index) => {
      const one = advice[index];
      const button = row.querySelector<HTMLButtonElement>("button[data-apply]");
      if (!one || !button) return;
      this.fill(row, { label: one.label, outcome: one.outcome, ...one.parts });
      this.changes.set(button, one.changes);
    });
    if (!hadFocus || (advice.length > 0 && this.recommendations.contains(document.activeElement))) return;
    this.root.querySelector<HTMLElement>(".answer")?.focus(); // the applied recommendation is gone: go to its answer
  }

  private fill(row: HTMLElement, texts: Texts): RowParts {
    const known = this.rowParts.get(row);
    const parts = known ?? {
      fields: byAttribute(row, "data-field"),
      bars: byAttribute(row, "data-bar"),
      lines: byAttribute(row, "data-now"),
    };
    if (!known) this.rowParts.set(row, parts);
    for (const [name, text] of Object.entries(texts)) {
      for (const element of parts.fields.get(name) ?? []) write(element, text);
    }
    return parts;
  }
}
