/** One record while it is being written: the reader's words, the record that Python makes of them, and its files. */

import type { Engine } from "../engine/engine";
import type { Answer, Question, Recorded } from "../messages";
import { Alternatives, pinned } from "./alternatives";
import { save } from "./files";
import { draw, type Redrawn } from "./record-view";
import { NEW_RECORD, readLink, writtenLink } from "./link";
import type { StoredRecord } from "./storage";

const SLICE_MS = 40; // nothing else on this page asks
const TYPED_AFTER_MS = 500;
const MACHINES: Readonly<Record<string, string>> = {
  machine: "machine/",
  machine_serving: "machine/serving/",
  machine_rag: "machine/rag/",
  machine_rl: "machine/post-training/",
};
const COMPUTING = "Computing the record.";

export class Draft {
  private readonly form: HTMLFormElement;
  private readonly view: HTMLElement;
  private readonly status: HTMLElement;
  private readonly back: HTMLAnchorElement | null;
  private readonly alternatives: Alternatives;
  private of = "";
  private fragment = "";
  private id = "";
  private record: Recorded | undefined;
  private isDue = false; // the form changed since the record was made
  private making: Promise<void> | undefined; // of the form as it is
  private serial = 0;
  private typing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly engine: Engine,
    private readonly redrawn: Redrawn,
    signal: AbortSignal,
  ) {
    this.form = root.querySelector("form")!;
    this.view = root.querySelector<HTMLElement>("[data-record-view]")!;
    this.status = root.querySelector<HTMLElement>("[data-record-status]")!;
    this.back = root.querySelector<HTMLAnchorElement>("a[data-back]");
    const edited = (): void => {
      this.isDue = true;
      this.making = undefined;
      clearTimeout(this.typing);
      this.typing = setTimeout(() => void this.make(), TYPED_AFTER_MS);
    };
    this.form.addEventListener("input", edited, { signal });
    this.alternatives = new Alternatives(this.form, () => void this.make(), signal);
    this.form.addEventListener("submit", (event) => event.preventDefault(), { signal });
    engine.addEventListener("change", () => this.report(), { signal });
    signal.addEventListener("abort", () => {
      clearTimeout(this.typing);
      engine.forget(this);
    });
  }

  /** Begin a record of a calculator from a link: its state and, if it has them, the author's words; else what is pinned. */
  begin(of: string, link: string): void {
    const id = crypto.randomUUID?.() ?? `${Date.now()}`; // exists only on secure connections
    const { fragment, title, notes, alternatives } = readLink(link);
    const states = alternatives.length > 0 ? alternatives : pinned(of, fragment);
    this.load({ id, of, fragment, title, notes, alternatives: states });
    this.view.replaceChildren();
    void this.make();
  }

  /** Open a saved record, as it was made then. */
  open(stored: StoredRecord): void {
    this.load(stored);
    this.record = stored.record;
    draw(this.view, stored.record, this.redrawn);
    this.report();
  }

  close(): void {
    this.serial += 1;
    this.root.hidden = true;
  }

  /** The record to save; undefined while it cannot be made. */
  async stored(): Promise<StoredRecord | undefined> {
    const record = await this.current();
    if (!record) return undefined;
    const { of, id } = this;
    const fragment = record.link.split("#", 2)[1] ?? "";
    return { id, of, fragment, title: record.title, notes: this.text("notes"), alternatives: this.alternatives.all, record };
  }

  /** Save it as a file. */
  async file(kind: string): Promise<void> {
    const record = await this.current();
    const text = record?.files[kind];
    if (text !== undefined) save(`record-${this.of.replaceAll("_", "-")}-${record?.day ?? ""}.${kind}`, text);
  }

  /** The address that opens this record with its words and alternatives. */
  get link(): string {
    const words = { title: this.text("title").trim(), notes: this.text("notes").trim(), alternatives: this.alternatives.all };
    return `${location.href.split("#", 1)[0]}#of=${writtenLink(this.of, { fragment: this.fragment, ...words })}`;
  }

  async print(): Promise<void> {
    if (await this.current()) window.print();
  }

  /** The whole record, with the words typed just now. */
  private async current(): Promise<Recorded | undefined> {
    if (this.isDue || !this.record) await (this.making ?? this.make());
    return this.isDue ? undefined : this.record;
  }

  private load({ id, of, fragment, title, notes, alternatives }: Omit<StoredRecord, "record">): void {
    this.serial += 1;
    [this.id, this.of, this.fragment, this.record, this.isDue] = [id, of, fragment, undefined, false];
    for (const [name, value] of Object.entries({ title, notes })) (this.form.elements.namedItem(name) as HTMLInputElement).value = value;
    this.alternatives.load(of, fragment, alternatives);
    if (this.back) this.back.href = `${this.address}#${fragment}`;
    this.root.hidden = false;
    this.setStatus("");
  }

  private text(name: string): string {
    return (this.form.elements.namedItem(name) as HTMLInputElement).value;
  }

  /** The address of the calculator's page. */
  private get address(): string {
    const path = MACHINES[this.of] ?? `calculators/${this.of.replaceAll("_", "-")}/`;
    return new URL(`../${path}`, location.href).href;
  }

  private make(): Promise<void> {
    const made: Promise<void> = this.ask().finally(() => {
      if (this.making === made) this.making = undefined;
    });
    this.making = made;
    return made;
  }

  /** Ask for the record, slice by slice, until the form changes again; what comes first is shown first. */
  private async ask(): Promise<void> {
    clearTimeout(this.typing);
    const serial = ++this.serial;
    this.isDue = true;
    if (NEW_RECORD.test(location.hash)) history.replaceState(history.state, "", this.link); // a reload keeps the words
    this.setStatus(COMPUTING);
    const record = {
      title: this.text("title").trim(),
      notes: this.text("notes"),
      alternatives: this.alternatives.all,
      offered: this.alternatives.links,
      day: new Date().toLocaleDateString("sv-SE"), // which writes a day as 2026-11-22
      address: this.address,
    };
    const question: Question = { asks: ["record"], calculator: this.of, fragment: this.fragment, slice_ms: SLICE_MS, record };
    const notices: string[] = [];
    let cursor: number | undefined;
    do {
      const answer: Answer | undefined = await this.engine.ask(this, { ...question, ...(cursor !== undefined && { cursor }) });
      if (!answer || serial !== this.serial) return;
      notices.push(...(answer.notices ?? []));
      if (answer.record?.named) this.alternatives.name(answer.record.named);
      const wrong = [...Object.values(answer.problems ?? {}), ...(answer.failure ? [answer.failure] : [])];
      if (wrong.length > 0) {
        this.record = undefined;
        this.view.replaceChildren();
        return this.setStatus(`This record cannot be made. ${wrong.join(" ")}`);
      }
      if (answer.record) {
        draw(this.view, answer.record, this.redrawn);
        if (!answer.record.pending) {
          this.record = answer.record;
          this.isDue = false;
          return this.setStatus(notices.join(" "));
        }
        this.setStatus(answer.record.pending);
      }
      if (answer.waiting) this.setStatus(answer.waiting);
      cursor = answer.cursor;
    } while (cursor !== undefined);
  }

  private report(): void {
    if (this.engine.state === "failed" && this.isDue) this.setStatus(`Python could not be started. ${this.engine.reason}`);
  }

  private setStatus(text: string): void {
    if (this.status.textContent !== text) this.status.textContent = text;
    this.status.hidden = text === "";
  }
}
