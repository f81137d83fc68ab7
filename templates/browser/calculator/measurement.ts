/** A run of the reader's own beside the model: what they paste goes to the engine on this page and nowhere else. */

import type { Answer, Texts } from "../messages";
import { byAttribute, rows, show, write, writeAttribute } from "./writing";

export class Measurement {
  private readonly place: HTMLElement | null;
  private readonly box: HTMLTextAreaElement | null;
  private readonly curves: Map<string, Element[]>;
  private readonly texts: Map<string, Element[]>;

  constructor(root: HTMLElement) {
    this.place = root.querySelector<HTMLElement>("[data-measurement]");
    this.box = root.querySelector<HTMLTextAreaElement>("[data-measured-text]");
    this.curves = byAttribute(root, "data-curve");
    this.texts = byAttribute(root, "data-curve-text");
  }

  /** Whether this page has a place for one. */
  get isShown(): boolean {
    return this.place !== null;
  }

  /** What was pasted. */
  get pasted(): string {
    return this.box?.value ?? "";
  }

  /** Call `pasted` whenever the text changes. */
  listen(pasted: () => void, signal: AbortSignal): void {
    this.box?.addEventListener("input", pasted, { signal });
  }

  /** Draw the curves, and say what the run amounts to. */
  show({ compared }: Answer): void {
    if (!compared || !this.place) return;
    for (const [name, elements] of this.curves) {
      for (const element of elements) writeAttribute(element, "points", compared.curves[name]?.["points"] ?? "");
    }
    for (const [name, elements] of this.texts) {
      for (const element of elements) write(element, compared.curves[name]?.["text"] ?? "");
    }
    this.say("[data-measured-problem]", compared.problem);
    this.say("[data-measured-sentence]", compared.sentence);
    show(this.part("[data-measured-told]"), compared.sentence !== "");
    const causes = this.part("[data-measured-causes]");
    show(causes, compared.causes.length > 0);
    this.fill(causes?.querySelector<HTMLElement>("div"), compared.causes);
    this.fill(this.part("[data-measured-rows]"), compared.rows);
  }

  /** A copy of the holder's pattern for each of `told`, with its texts. */
  private fill(holder: HTMLElement | null | undefined, told: readonly Texts[]): void {
    if (!holder) return;
    rows(holder, told.length).forEach((row, place) => {
      for (const [name, elements] of byAttribute(row, "data-field")) {
        for (const element of elements) write(element, told[place]?.[name] ?? "");
      }
    });
  }

  private say(selector: string, text: string): void {
    const element = this.part(selector);
    if (!element) return;
    write(element, text);
    show(element, text !== "");
  }

  private part(selector: string): HTMLElement | null {
    return this.place?.querySelector<HTMLElement>(selector) ?? null;
  }
}
