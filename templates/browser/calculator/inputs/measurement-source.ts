/** Where a measurement comes from: a text that the reader types or pastes, or a file, which stays out of the text box. */

import { show, write } from "../answer/dom";

const LONG = 1_000_000; // characters, beyond which a text box makes the browser slow
const SHOWN_LINES = 5;
const SHOWN_BYTES = 2000;

export class MeasurementSource {
  /** The file, if one is given that is too long for the text box. */
  file: File | undefined;
  private readonly box: HTMLTextAreaElement | null;
  /** Characters up to which a text stays in the box: none where a Python of its own reads it, as it does a file. */
  private readonly most: number;
  private readonly panel: HTMLElement | null;

  constructor(private readonly section: HTMLElement) {
    this.box = section.querySelector<HTMLTextAreaElement>("[data-measured-text]");
    this.most = section.hasAttribute("data-read-apart") ? 0 : LONG;
    this.panel = section.querySelector<HTMLElement>("[data-measured-file]");
  }

  /** The typed or pasted text that stays in the box. */
  get text(): string {
    return (this.most && this.box?.value) || "";
  }

  /** Call `given` whenever the text or the file changes. */
  listen(given: () => void, signal: AbortSignal): void {
    const { box, section } = this;
    const take = async (file: File | undefined): Promise<void> => {
      if (!file) return;
      if (file.size > this.most) await this.keep(file);
      else if (box) {
        this.forget();
        box.value = await file.text();
      }
      given();
    };
    const pasted = (text: string): void => void take(new File([text], "Pasted text"));
    // What is typed there is complete when the box is left.
    box?.addEventListener(this.most ? "input" : "change", () => {
      if (this.file) return; // the box is left because a file has taken its place
      if (box.value.length <= this.most) return given();
      pasted(box.value);
      if (this.most) box.value = "";
    }, { signal });
    box?.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (text.length <= this.most) return;
      event.preventDefault(); // the box would lay it out, which takes seconds
      pasted(text);
    }, { signal });
    section.addEventListener("dragover", (event) => event.preventDefault(), { signal });
    section.addEventListener("drop", (event) => {
      const file = event.dataTransfer?.files[0];
      if (file) event.preventDefault(); // the browser would leave the page to show the file
      void take(file);
    }, { signal });
    const opened = section.querySelector<HTMLInputElement>("[data-measured-open]");
    opened?.addEventListener("change", () => {
      void take(opened.files?.[0]);
      opened.value = ""; // the same file may be opened again
    }, { signal });
    this.panel?.querySelector("button")?.addEventListener("click", () => (this.forget(), box?.focus(), given()), { signal });
  }

  /** Say how far reading the file is. */
  say(progress: string): void {
    const status = this.panel?.querySelector<HTMLElement>("[data-measured-progress]");
    if (status) write(status, progress);
  }

  /** Show the file's name and first lines, instead of the text box, whose text stays. */
  private async keep(file: File): Promise<void> {
    this.file = file;
    const start = await file.slice(0, SHOWN_BYTES).text();
    const texts = { name: file.name, lines: start.split("\n").slice(0, SHOWN_LINES).join("\n") };
    for (const [field, text] of Object.entries(texts)) {
      const element = this.panel?.querySelector<HTMLElement>(`[data-field="${field}"]`);
      if (element) write(element, text);
    }
    this.say("");
    show(this.panel, true);
    show(this.box, false);
  }

  private forget(): void {
    this.file = undefined;
    show(this.panel, false);
    show(this.box, true);
  }
}
