/**
 * What the reader set on one calculator, as they typed it, and which of it no answer has taken into account yet. The
 * only place where the state changes, so that every change can be undone.
 */

import type { Question, Texts } from "../messages";
import { History } from "./history";

/** Which inputs each preset fills. */
export type Fills = ReadonlyMap<string, readonly string[]>;

/** The state as a question gives it to the engine. */
type StateOfQuestion = Pick<Question, "given" | "fragment" | "stops">;

/** A copy of the state at some time. */
interface Copy {
  readonly given: Texts;
  readonly stops: Readonly<Record<string, number>>;
  readonly fragment: string | undefined;
}

export class State {
  private given: Record<string, string>;
  private stops: Record<string, number> = {};
  private fragment: string | undefined;
  private serial = 0;
  private linkRead = 0; // the serial when a link was read: earlier changes give way to the link
  private readonly touched = new Map<string, number>();
  private readonly history = new History<Copy>();

  /** `chosen` is the record that a preset's menu shows; `initial` is what the page sets before the reader does. */
  constructor(
    private readonly fills: Fills,
    private readonly chosen: (preset: string) => string,
    private readonly initial: Texts = {},
  ) {
    this.given = { ...initial };
  }

  /** The number of changes so far: the next question contains them all. */
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

  /** What the reader set, as the fragment of an address; unlike Python it does not leave out the defaults. */
  get fragmentText(): string {
    if (this.fragment !== undefined) return this.fragment;
    return Object.entries(this.given).map(([name, text]) => `${name}=${encodeURIComponent(text)}`).join("&");
  }

  /** Set an input's text; an emptied one returns to its default. */
  type(name: string, text: string): void {
    this.history.record(this.copy(), name);
    this.write(name, text);
  }

  /** The reader released the control: the next move of it is another step, unless it follows at once. */
  release(): void {
    this.history.release();
  }

  /** Set several inputs at once, as one step. */
  change(texts: Texts): void {
    this.history.record(this.copy());
    for (const [name, text] of Object.entries(texts)) {
      if (this.fills.has(name)) this.fill(name, text);
      else this.write(name, text);
    }
  }

  /** Set an input's slider to one of its stops. */
  slide(name: string, stop: number): void {
    this.history.record(this.copy(), `slider of ${name}`);
    this.touch(name);
    this.pin(name);
    delete this.given[name];
    this.stops[name] = stop;
  }

  /** Choose a record of a preset, which fills its inputs again. */
  choose(preset: string, key: string): void {
    this.history.record(this.copy());
    this.fill(preset, key);
  }

  /** Replace everything by the state of a link. */
  read(fragment: string): void {
    this.history.record(this.copy());
    this.replace({ given: this.initial, stops: {}, fragment });
  }

  /** Take the link that the page was opened with: there is nothing to undo. */
  open(fragment: string): void {
    this.replace({ given: this.initial, stops: {}, fragment });
  }

  reset(): void {
    this.history.record(this.copy());
    this.replace({ given: this.initial, stops: {}, fragment: undefined });
  }

  /** Return to the state before the last change; false if there was none. */
  undo(): boolean {
    const before = this.history.undo(this.copy());
    if (before) this.replace(before);
    return before !== undefined;
  }

  /** Repeat what was undone; false if nothing was. */
  redo(): boolean {
    const after = this.history.redo(this.copy());
    if (after) this.replace(after);
    return after !== undefined;
  }

  /** The state to ask about: a link alone, if there is one; `settle` says when there is more. */
  question(): StateOfQuestion {
    if (this.fragment !== undefined) return { fragment: this.fragment };
    return { given: { ...this.given }, stops: { ...this.stops } };
  }

  /** Take over the texts as Python writes them, for the state of `version`; true if there are later changes. */
  settle(version: number, given: Texts, ofLink: boolean): boolean {
    if (ofLink) this.fragment = undefined;
    const since = ofLink ? this.linkRead : version; // a link is asked about alone, without the changes after it
    const newer = new Set([...this.touched].filter(([, touched]) => touched > since).map(([name]) => name));
    const kept = Object.entries(this.given).filter(([name]) => newer.has(name));
    const read = Object.entries(given).filter(([name]) => !newer.has(name));
    this.given = Object.fromEntries([...read, ...kept]);
    for (const name of Object.keys(this.stops)) if (!newer.has(name)) delete this.stops[name];
    return newer.size > 0;
  }

  private copy(): Copy {
    return { given: { ...this.given }, stops: { ...this.stops }, fragment: this.fragment };
  }

  private replace({ given, stops, fragment }: Copy): void {
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

  /** Keep the preset of an input that the reader sets: its other inputs must not change with it. */
  private pin(name: string): void {
    for (const [preset, names] of this.fills) {
      if (names.includes(name) && !(preset in this.given)) this.given[preset] = this.chosen(preset);
    }
  }
}
