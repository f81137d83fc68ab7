/** A measurement that the reader pastes or drops, compared with the model or its limits; it stays on this page. */

import type { Answer, Texts } from "../../messages";
import { byAttribute, rows, show, write, writeAttribute } from "../answer/dom";
import { MeasurementSource } from "./measurement-source";

export class Measurement {
  /** What the reader gives; undefined on a page that takes no measurement. */
  readonly source: MeasurementSource | undefined;
  private readonly section: HTMLElement | null;
  private readonly curves: Map<string, Element[]>;
  private readonly texts: Map<string, Element[]>;

  constructor(root: HTMLElement) {
    this.section = root.querySelector<HTMLElement>("[data-measurement]");
    this.source = this.section ? new MeasurementSource(this.section) : undefined;
    this.curves = byAttribute(root, "data-curve");
    this.texts = byAttribute(root, "data-curve-text");
  }

  /** The state changed: its curves are still to come. */
  outdate(): void {
    this.section?.toggleAttribute("data-outdated", true);
  }

  /** Draw the curves, and show how the measurement compares. */
  show({ compared }: Answer): void {
    if (!compared || !this.section) return;
    this.section.removeAttribute("data-outdated");
    for (const [name, elements] of this.curves) {
      for (const element of elements) writeAttribute(element, "points", compared.curves[name]?.["points"] ?? "");
    }
    for (const [name, elements] of this.texts) {
      for (const element of elements) write(element, compared.curves[name]?.["text"] ?? "");
    }
    this.setText("[data-measured-problem]", compared.problem);
    this.setText("[data-measured-sentence]", compared.sentence);
    show(this.part("[data-measured-result]"), compared.sentence !== "");
    const causes = this.part("[data-measured-causes]");
    show(causes, compared.causes.length > 0);
    this.fill(causes?.querySelector<HTMLElement>("div"), compared.causes);
    this.fill(this.part("[data-measured-rows]"), compared.rows);
  }

  /** One row for each record, with its texts. */
  private fill(holder: HTMLElement | null | undefined, records: readonly Texts[]): void {
    if (!holder) return;
    rows(holder, records.length).forEach((row, index) => {
      for (const [name, elements] of byAttribute(row, "data-field")) {
        for (const element of elements) write(element, records[index]?.[name] ?? "");
      }
    });
  }

  private setText(selector: string, text: string): void {
    const element = this.part(selector);
    if (!element) return;
    write(element, text);
    show(element, text !== "");
  }

  private part(selector: string): HTMLElement | null {
    return this.section?.querySelector<HTMLElement>(selector) ?? null;
  }
}
