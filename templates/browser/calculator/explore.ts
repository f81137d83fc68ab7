/** What follows an answer on the page: what moves the result, how far the hedges reach, and what would help. */

import type { Answer, Texts } from "../messages";
import { byAttribute, rows, show, write, writeAttribute } from "./writing";

/** What one row shows, by what it is for. */
type Parts = Readonly<Record<"fields" | "bars" | "lines", Map<string, Element[]>>>;

/** Write a text, and show what it stands in if there is one. */
function showText(places: NodeListOf<HTMLElement>, row: string, text: string): void {
  for (const element of places) {
    write(element, text);
    show(element.closest<HTMLElement>(row), text !== "");
  }
}

export class Exploration {
  private readonly swings: HTMLElement | null;
  private readonly advice: HTMLElement | null;
  private readonly bands: NodeListOf<HTMLElement>;
  private readonly likely: NodeListOf<HTMLElement>;
  private readonly edges: Map<string, Element[]>;
  private readonly following: NodeListOf<HTMLElement>;
  private readonly parts = new WeakMap<HTMLElement, Parts>();
  private changes = new WeakMap<Element, Texts>();

  constructor(private readonly root: HTMLElement) {
    this.swings = root.querySelector<HTMLElement>("[data-swings]");
    this.advice = root.querySelector<HTMLElement>("[data-advice]");
    this.bands = root.querySelectorAll<HTMLElement>("[data-band]");
    this.likely = root.querySelectorAll<HTMLElement>("[data-likely]");
    this.edges = byAttribute(root, "data-edge");
    this.following = root.querySelectorAll<HTMLElement>("[data-follows]");
  }

  /** Call `apply` with the changes of the advice the reader takes. */
  listen(apply: (changes: Texts) => void, signal: AbortSignal): void {
    const taken = ({ target }: Event): void => {
      const button = target instanceof Element ? target.closest("button[data-apply]") : null;
      const changes = button && this.changes.get(button);
      if (changes) apply(changes);
    };
    this.advice?.addEventListener("click", taken, { signal });
  }

  /** Whether there is any place for it: a card has none, and need not ask. */
  get isShown(): boolean {
    return this.swings !== null || this.advice !== null;
  }

  /** What was explored belongs to a state that no longer stands: advice from it must not be taken. */
  outdate(): void {
    this.changes = new WeakMap();
    for (const element of [...this.edges.values()].flat()) writeAttribute(element, "data-outdated", "");
    for (const element of this.following) writeAttribute(element, "data-outdated", "");
  }

  /** Show what an exploration has told so far. */
  show({ swings, band, likely, edges, advice, chart, chart_shows, tradeoff, tradeoff_shows }: Answer): void {
    if (band !== undefined) showText(this.bands, "[data-band-row]", band);
    if (likely !== undefined) showText(this.likely, "[data-likely-row]", likely);
    if (edges) this.showEdges(edges);
    if (chart !== undefined) this.showDrawn("chart", chart, chart_shows ?? "");
    if (tradeoff !== undefined) this.showDrawn("tradeoff", tradeoff, tradeoff_shows ?? "");
    if (swings) this.showSwings(swings);
    if (advice) this.showAdvice(advice);
  }

  /** What is told of a machine in slices is there for the present state, down to the part that `holds` a place. */
  renew(holds: string): void {
    for (const element of this.following) if (element.querySelector(holds)) element.removeAttribute("data-outdated");
  }

  /** The nearest edge of each verdict; while it belongs to another state, its place is kept and it is not seen. */
  private showEdges(edges: Texts): void {
    for (const [name, elements] of this.edges) {
      const text = edges[name] ?? "";
      for (const element of elements) {
        for (const place of element.querySelectorAll("[data-edge-text]")) write(place, text);
        if (element instanceof HTMLElement) show(element, text !== "");
        element.removeAttribute("data-outdated");
      }
    }
  }

  /** A picture as Python drew it, in the place of the one before. */
  private showDrawn(name: "chart" | "tradeoff", drawn: string, shows: string): void {
    const { documentElement } = new DOMParser().parseFromString(drawn, "image/svg+xml");
    for (const place of this.root.querySelectorAll(`[data-${name}]`)) {
      place.replaceChildren(document.importNode(documentElement, true));
    }
    for (const place of this.root.querySelectorAll(`[data-${name}-shows]`)) write(place, shows);
  }

  private showSwings(swings: NonNullable<Answer["swings"]>): void {
    if (!this.swings) return;
    show(this.swings, swings.length > 0);
    rows(this.swings, swings.length).forEach((row, place) => {
      const swing = swings[place];
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

  private showAdvice(advice: NonNullable<Answer["advice"]>): void {
    if (!this.advice) return;
    const hadFocus = this.advice.contains(document.activeElement);
    const isRed = this.root.querySelector('.findings > [data-level="bad"]') !== null;
    show(this.advice, advice.length > 0 || isRed);
    show(this.advice.querySelector<HTMLElement>("[data-advice-none]"), advice.length === 0);
    // What stands there without script can only be read.
    for (const row of this.advice.querySelectorAll(".advice-row:not(:has(button))")) row.remove();
    rows(this.advice, advice.length).forEach((row, place) => {
      const one = advice[place];
      const button = row.querySelector<HTMLButtonElement>("button[data-apply]");
      if (!one || !button) return;
      this.fill(row, { label: one.label, outcome: one.outcome, ...one.parts });
      this.changes.set(button, one.changes);
    });
    if (!hadFocus || (advice.length > 0 && this.advice.contains(document.activeElement))) return;
    this.root.querySelector<HTMLElement>(".answer")?.focus(); // advice that was taken and is gone leads to its answer
  }

  private fill(row: HTMLElement, texts: Texts): Parts {
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
