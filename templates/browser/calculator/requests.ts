/** Requests about the reader's present state: they end when it changes, or when the page is left. */

import type { Engine } from "../engine/engine";
import type { Answer, Ask, Question } from "../messages";
import { addressOf } from "./address/permalink";
import type { Announcer } from "./answer/announcer";
import { type Show, Slices } from "./slices";
import { saveSpreadsheet } from "./spreadsheet";
import type { State } from "./state";

export class Requests {
  private readonly slices = new Slices((question) => this.engine.ask(this, question));

  constructor(
    private readonly root: HTMLElement,
    private readonly engine: Engine,
    private readonly state: State,
    /** Names of the results whose formulas are shown as Python. */
    private readonly python: () => readonly string[],
    signal: AbortSignal,
  ) {
    signal.addEventListener("abort", () => engine.forget(this));
  }

  /** The calculator's name, as its page has it now. */
  get name(): string {
    return this.root.dataset["calculator"] ?? "";
  }

  question(...asks: Ask[]): Question {
    return { asks, calculator: this.name, python: this.python(), ...this.state.question() };
  }

  /** The answer for a slider that moves: at once, whatever else is asked. */
  atOnce(question: Question): Promise<Answer | undefined> {
    return this.engine.ask(this, question);
  }

  /** The answer to any question; what is known or searched for until then goes to `wait`, which says whether to go on. */
  whole(question: Question, wait: (slice: Answer) => boolean = this.isPresent()): Promise<Answer | undefined> {
    return this.slices.whole(question, wait);
  }

  /** Show slice by slice, as long as the state of that version is current and `isMore` says so. */
  inSlices(asked: Question, show: Show, isMore: () => boolean, version?: number, cursor?: number): Promise<void> {
    const isPresent = this.isPresent(version);
    return this.slices.run(asked, show, () => isPresent() && isMore(), cursor);
  }

  async markdown(ask: "summary" | "markdown"): Promise<string | undefined> {
    const answer = await this.whole(this.question(ask));
    return answer?.markdown?.replace("\nState: #", `\nState: ${addressOf("")}#`);
  }

  spreadsheet(announcer: Announcer): Promise<undefined> {
    const question = { ...this.question("spreadsheet"), record: { address: addressOf("") } };
    return saveSpreadsheet(`${this.name}.xlsx`, this.engine, question, this.isPresent(), announcer);
  }

  /** Whether the state of a version, by default the present one, is still on the page. */
  private isPresent(version = this.state.version): () => boolean {
    return () => version === this.state.version && this.root.isConnected;
  }
}
