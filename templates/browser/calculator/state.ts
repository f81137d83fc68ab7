/**
 * What the reader set on one calculator, in their own words, and which of it an answer has not seen yet. The only place
 * where a state changes, so that every change can be undone.
 */

import type { Question, Texts } from "../messages";
import { History } from "./history";

/** Which inputs each preset fills. */
export type Fills = ReadonlyMap<string, readonly string[]>;

/** How a calculator stands, as the engine is told. */
type Standing = Pick<Question, "given" | "fragment" | "stops">;

/** A state as it was at some time. */
interface Kept {
  readonly given: Texts;
  readonly stops: Readonly<Record<string, number>>;
  readonly fragment: string | undefined;
}

export class State {
  private given: Record<string, string>;
  private stops: Record<string, number> = {};
  private fragment: string | undefined;
  private serial = 0;
  private linkRead = 0; // the serial then: what was touched before gives way to the link
  private readonly touched = new Map<string, number>();
  private readonly history = new History<Kept>();

  /** `chosen` gives the record a preset's menu stands on; `initial` is what the page gives before the reader does. */
  constructor(
    private readonly fills: Fills,
    private readonly chosen: (preset: string) => string,
    private readonly initial: Texts = {},
  ) {
    this.given = { ...initial };
  }

  /** Everything up to here is in the next question; an answer to it is older than any later change. */
  get version(): number {
    return this.serial;
  }

  get canUndo(): boolean {
    return this.history.canUndo;
  }

  get canRedo(): boolean {
    return this.history.canRedo;
  }

  /** When the reader last changed this: a number that only grows. */
  lastTouch(name: string): number {
    return this.touched.get(name) ?? 0;
  }

  /** Whether the reader changed this since the question with that version. */
  isNewer(name: string, version: number): boolean {
    return this.lastTouch(name) > version;
  }

  /** What the reader typed or chose for an input, if anything. */
  typed(name: string): string | undefined {
    return this.given[name];
  }

  /** What the reader set, as the fragment of an address; Python would leave out what equals the defaults. */
  get words(): string {
    if (this.fragment !== undefined) return this.fragment;
    return Object.entries(this.given).map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join("&");
  }

  /** An input's text; an emptied one goes back to what it is otherwise. */
  type(name: string, text: string): void {
    this.history.before(this.kept(), name);
    this.write(name, text);
  }

  /** The control that the reader moved was let go: more of the same is another step, unless it follows at once. */
  letGo(): void {
    this.history.letGo();
  }

  /** Several inputs at once, as one step. */
  change(texts: Texts): void {
    this.history.before(this.kept());
    for (const [name, text] of Object.entries(texts)) {
      if (this.fills.has(name)) this.fill(name, text);
      else this.write(name, text);
    }
  }

  /** An input's slider at one of its stops. */
  slide(name: string, stop: number): void {
    this.history.before(this.kept(), `slider of ${name}`);
    this.touch(name);
    this.pin(name);
    delete this.given[name];
    this.stops[name] = stop;
  }

  /** A preset, which fills its inputs anew. */
  choose(preset: string, key: string): void {
    this.history.before(this.kept());
    this.fill(preset, key);
  }

  /** Nothing but what a link says. */
  read(fragment: string): void {
    this.history.before(this.kept());
    this.stand({ given: this.initial, stops: {}, fragment });
  }

  /** The link the page was opened with: nothing was there before it. */
  open(fragment: string): void {
    this.stand({ given: this.initial, stops: {}, fragment });
  }

  reset(): void {
    this.history.before(this.kept());
    this.stand({ given: this.initial, stops: {}, fragment: undefined });
  }

  /** Back to how it stood before the last change; false if there was none. */
  undo(): boolean {
    const before = this.history.undo(this.kept());
    if (before) this.stand(before);
    return before !== undefined;
  }

  /** What was undone, again; false if nothing was. */
  redo(): boolean {
    const after = this.history.redo(this.kept());
    if (after) this.stand(after);
    return after !== undefined;
  }

  /** What to ask about. A link comes first, alone; `settle` says when there is more. */
  standing(): Standing {
    if (this.fragment !== undefined) return { fragment: this.fragment };
    return { given: { ...this.given }, stops: { ...this.stops } };
  }

  /** Take over how Python writes what it was asked with `version`; true if there is something it was not asked. */
  settle(version: number, given: Texts, ofLink: boolean): boolean {
    if (ofLink) this.fragment = undefined;
    const since = ofLink ? this.linkRead : version; // a link is asked about alone, whatever came after it
    const newer = new Set([...this.touched].filter(([, touched]) => touched > since).map(([name]) => name));
    const kept = Object.entries(this.given).filter(([name]) => newer.has(name));
    const read = Object.entries(given).filter(([name]) => !newer.has(name));
    this.given = Object.fromEntries([...read, ...kept]);
    for (const name of Object.keys(this.stops)) if (!newer.has(name)) delete this.stops[name];
    return newer.size > 0;
  }

  private kept(): Kept {
    return { given: { ...this.given }, stops: { ...this.stops }, fragment: this.fragment };
  }

  private stand({ given, stops, fragment }: Kept): void {
    this.serial += 1;
    for (const name of [...Object.keys(this.given), ...Object.keys(this.stops), ...Object.keys(given)]) {
      this.touched.set(name, this.serial);
    }
    for (const name of Object.keys(stops)) this.touched.set(name, this.serial);
    this.given = { ...given };
    this.stops = { ...stops };
    this.fragment = fragment;
    this.linkRead = this.serial;
  }

  private fill(preset: string, key: string): void {
    this.touch(preset);
    for (const name of this.fills.get(preset) ?? []) {
      this.touch(name);
      delete this.given[name];
      delete this.stops[name];
    }
    this.given[preset] = key;
  }

  private write(name: string, text: string): void {
    this.touch(name);
    delete this.stops[name];
    if (text.trim() === "") delete this.given[name];
    else {
      this.pin(name);
      this.given[name] = text;
    }
  }

  private touch(name: string): void {
    this.serial += 1;
    this.touched.set(name, this.serial);
  }

  /** Other inputs that the same preset fills must not change because this one is now the reader's own. */
  private pin(name: string): void {
    for (const [preset, names] of this.fills) {
      if (names.includes(name) && !(preset in this.given)) this.given[preset] = this.chosen(preset);
    }
  }
}
