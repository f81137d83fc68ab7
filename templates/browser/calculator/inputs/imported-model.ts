/** A model's configuration file that the reader pastes or drops instead of choosing from the menu; it stays on this page. */

import type { Answer, Texts } from "../../messages";
import { byAttribute, rows, show, write, writeList } from "../answer/dom";
import { listenForText } from "./text-box";

export class ImportedModel {
  private readonly section: HTMLElement | null;
  private readonly box: HTMLTextAreaElement | null;

  constructor(root: HTMLElement) {
    this.section = root.querySelector<HTMLElement>("[data-imported]");
    this.box = root.querySelector<HTMLTextAreaElement>("[data-imported-text]");
  }

  /** The pasted or dropped text. */
  get text(): string {
    return this.box?.value ?? "";
  }

  /** Call `given` whenever the text changes, be it typed, pasted or dropped as a file. */
  listen(given: () => void, signal: AbortSignal): void {
    if (this.section && this.box) listenForText(this.section, this.box, given, signal);
  }

  /** Show what was read; returns the inputs it sets, if it was understood. */
  show({ imported }: Answer): Texts | undefined {
    if (!imported || !this.section) return undefined;
    this.setText("[data-imported-problem]", imported.problem);
    this.setText("[data-imported-sentence]", imported.sentence);
    this.setText("[data-imported-strip]", imported.strip);
    show(this.part("[data-imported-result]"), imported.sentence !== "");
    const remarks = this.part("[data-imported-remarks]");
    if (remarks) writeList(remarks, [...imported.remarks]);
    const parts = this.part("[data-imported-parts]");
    if (parts) {
      rows(parts, imported.parts.length).forEach((row, number) => {
        for (const [name, elements] of byAttribute(row, "data-field")) {
          for (const element of elements) write(element, imported.parts[number]?.[name] ?? "");
        }
      });
    }
    return imported.sentence === "" ? undefined : imported.changes;
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
