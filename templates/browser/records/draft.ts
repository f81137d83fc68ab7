/** One record while it is being written: what the reader says of it, what Python makes of that, and its files. */

import type { Engine } from "../engine/engine";
import { keptPins } from "../calculator/pinned";
import type { Answer, Question, Recorded } from "../messages";
import { save } from "./files";
import type { Kept } from "./kept";
import { draw } from "./sheet";

const SLICE_MS = 8;
const TYPED_AFTER_MS = 500;
const MOST_ALTERNATIVES = 3;
const MACHINES: Readonly<Record<string, string>> = { machine: "machine/", machine_serving: "machine/serving/" };
const COMPUTING = "The record is being made.";

export class Draft {
  private readonly form: HTMLFormElement;
  private readonly sheet: HTMLElement;
  private readonly state: HTMLElement;
  private readonly back: HTMLAnchorElement | null;
  private of = "";
  private fragment = "";
  private id = "";
  private record: Recorded | undefined;
  private isDue = false; // what stands was made of other words than those in the form
  private serial = 0;
  private typing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly engine: Engine,
    signal: AbortSignal,
  ) {
    this.form = root.querySelector("form")!;
    this.sheet = root.querySelector<HTMLElement>("[data-sheet]")!;
    this.state = root.querySelector<HTMLElement>("[data-state]")!;
    this.back = root.querySelector<HTMLAnchorElement>("a[data-back]");
    const written = (): void => {
      this.isDue = true;
      clearTimeout(this.typing);
      this.typing = setTimeout(() => void this.make(), TYPED_AFTER_MS);
    };
    this.form.addEventListener("input", written, { signal });
    this.form.addEventListener("submit", (event) => event.preventDefault(), { signal });
    engine.addEventListener("change", () => this.tell(), { signal });
    signal.addEventListener("abort", () => {
      clearTimeout(this.typing);
      engine.forget(this);
    });
  }

  get calculator(): string {
    return this.root.hidden ? "" : this.of;
  }

  /** A new one, of a calculator in the state of a fragment; the states pinned there are its alternatives. */
  begin(of: string, fragment: string): void {
    const id = crypto.randomUUID?.() ?? `${Date.now()}`; // not everywhere: only where the connection is secure
    this.stand({ id, of, fragment, title: "", notes: "", alternatives: pinned(of, fragment) });
    this.sheet.replaceChildren();
    void this.make();
  }

  /** One that was kept, as it was made then. */
  open(kept: Kept): void {
    this.stand(kept);
    this.record = kept.record;
    draw(this.sheet, kept.record);
    this.tell();
  }

  close(): void {
    this.serial += 1;
    this.root.hidden = true;
  }

  /** Put a link among the alternatives. */
  consider(link: string): void {
    const field = this.form.elements.namedItem("alternatives") as HTMLTextAreaElement;
    field.value = [...this.alternatives, link].join("\n");
    void this.make();
  }

  /** It as it stands now; undefined while it cannot be made. */
  async kept(): Promise<Kept | undefined> {
    const record = await this.whole();
    if (!record) return undefined;
    const { of, id } = this;
    const fragment = record.link.split("#", 2)[1] ?? "";
    return { id, of, fragment, title: record.title, notes: this.said("notes"), alternatives: this.alternatives, record };
  }

  /** Save it as a file. */
  async file(kind: string): Promise<void> {
    const record = await this.whole();
    const text = record?.files[kind];
    if (text !== undefined) save(`record-${this.of.replaceAll("_", "-")}-${record?.day ?? ""}.${kind}`, text);
  }

  async print(): Promise<void> {
    if (await this.whole()) window.print();
  }

  /** What the reader's words make, those typed just now too. */
  private async whole(): Promise<Recorded | undefined> {
    if (this.isDue || !this.record) await this.make();
    return this.isDue ? undefined : this.record;
  }

  private stand({ id, of, fragment, title, notes, alternatives }: Omit<Kept, "record">): void {
    this.serial += 1;
    [this.id, this.of, this.fragment, this.record, this.isDue] = [id, of, fragment, undefined, false];
    const values = { title, notes, alternatives: alternatives.join("\n") };
    for (const [name, value] of Object.entries(values)) (this.form.elements.namedItem(name) as HTMLInputElement).value = value;
    if (this.back) this.back.href = `${this.address}#${fragment}`;
    this.root.hidden = false;
    this.say("");
  }

  private said(name: string): string {
    return (this.form.elements.namedItem(name) as HTMLInputElement).value;
  }

  private get alternatives(): string[] {
    return this.said("alternatives").split("\n").map((line) => line.trim()).filter(Boolean);
  }

  /** Where the calculator's page stands. */
  private get address(): string {
    const place = MACHINES[this.of] ?? `calculators/${this.of.replaceAll("_", "-")}/`;
    return new URL(`../${place}`, location.href).href;
  }

  /** Ask for it, slice by slice, as long as nothing newer is wanted. */
  private async make(): Promise<void> {
    clearTimeout(this.typing);
    const serial = ++this.serial;
    this.isDue = true;
    this.say(COMPUTING);
    const wanted = {
      title: this.said("title").trim(),
      notes: this.said("notes"),
      alternatives: this.alternatives,
      day: new Date().toLocaleDateString("sv-SE"), // which writes a day as 2026-11-22
      address: this.address,
    };
    const asked: Question = { asks: ["record"], calculator: this.of, fragment: this.fragment, slice_ms: SLICE_MS, record: wanted };
    const notices: string[] = [];
    let cursor: number | undefined;
    do {
      const told: Answer | undefined = await this.engine.ask(this, { ...asked, ...(cursor !== undefined && { cursor }) });
      if (!told || serial !== this.serial) return;
      notices.push(...(told.notices ?? []));
      const wrong = [...Object.values(told.problems ?? {}), ...(told.failure ? [told.failure] : [])];
      if (wrong.length > 0) return this.say(`This record cannot be made: ${wrong.join(" ")}`);
      if (told.record) {
        this.record = told.record;
        this.isDue = false;
        draw(this.sheet, told.record);
        return this.say(notices.join(" "));
      }
      cursor = told.cursor;
    } while (cursor !== undefined);
  }

  private tell(): void {
    if (this.engine.state === "failed" && this.isDue) this.say(`Python could not be started. ${this.engine.reason}`);
  }

  private say(text: string): void {
    if (this.state.textContent !== text) this.state.textContent = text;
    this.state.hidden = text === "";
  }
}

/** The links that were pinned on a calculator's page, but for the state that is recorded. */
function pinned(of: string, fragment: string): string[] {
  return keptPins(of).filter((link) => stateOf(link) !== stateOf(fragment)).slice(0, MOST_ALTERNATIVES);
}

/** What a fragment gives, without its stamp. */
function stateOf(fragment: string): string {
  return fragment.replace(/(^|&)v=.*/, "");
}
