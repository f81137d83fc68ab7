/** What follows an answer on the page: uncertainty, thresholds, charts and recommendations. */

import type { Answer, Texts } from "../messages";
import { byAttribute, rows, show, write, writeAttribute } from "./dom";

/** The elements of one row, by use. */
type RowParts = Readonly<Record<"fields" | "bars" | "lines", Map<string, Element[]>>>;

/** Write a text, and show the row around it if there is one. */
function showText(places: NodeListOf<HTMLElement>, row: string, text: string): void {
  for (const element of places) {
    write(element, text);
    show(element.closest<HTMLElement>(row), text !== "");
  }
}

export class Exploration {
  private readonly swings: HTMLElement | null;
  private readonly recommendations: HTMLElement | null;
  private readonly bands: NodeListOf<HTMLElement>;
  private readonly likely: NodeListOf<HTMLElement>;
  private readonly thresholds: Map<string, Element[]>;
  private readonly following: NodeListOf<HTMLElement>;
  private readonly parts = new WeakMap<HTMLElement, RowParts>();
  private changes = new WeakMap<Element, Texts>();

  constructor(private readonly root: HTMLElement) {
    this.swings = root.querySelector<HTMLElement>("[data-swings]");
    this.recommendations = root.querySelector<HTMLElement>("[data-recommendations]");
    this.bands = root.querySelectorAll<HTMLElement>("[data-band]");
    this.likely = root.querySelectorAll<HTMLElement>("[data-likely]");
    this.thresholds = byAttribute(root, "data-threshold");
    this.following = root.querySelectorAll<HTMLElement>("[data-follows]");
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

  /** The state changed: its recommendations can no longer be applied. */
  outdate(): void {
    this.changes = new WeakMap();
    for (const element of [...this.thresholds.values()].flat()) writeAttribute(element, "data-outdated", "");
    for (const element of this.following) writeAttribute(element, "data-outdated", "");
  }

  /** Show a slice of an exploration. */
  show({ swings, band, likely, edges, advice, chart, chart_shows, tradeoff, tradeoff_shows }: Answer): void {
    if (band !== undefined) showText(this.bands, "[data-band-row]", band);
    if (likely !== undefined) showText(this.likely, "[data-likely-row]", likely);
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
  private showDrawn(name: "chart" | "tradeoff", drawn: string, shows: string): void {
    const { documentElement } = new DOMParser().parseFromString(drawn, "image/svg+xml");
    for (const element of this.root.querySelectorAll(`[data-${name}]`)) {
      element.replaceChildren(document.importNode(documentElement, true));
    }
    for (const element of this.root.querySelectorAll(`[data-${name}-shows]`)) write(element, shows);
  }

  private showSwings(swings: NonNullable<Answer["swings"]>): void {
    if (!this.swings) return;
    show(this.swings, swings.length > 0);
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
    const known = this.parts.get(row);
    const parts = known ?? {
      fields: byAttribute(row, "data-field"),
      bars: byAttribute(row, "data-bar"),
      lines: byAttribute(row, "data-now"),
    };
    if (!known) this.parts.set(row, parts);
    for (const [name, text] of Object.entries(texts)) {
      for (const element of parts.fields.get(name) ?? []) write(element, text);
    }
    return parts;
  }
}
