/**
 * One calculator while it stands on the page: collects what the reader sets, asks the engine, and puts the answer where
 * the HTML says. Texts come from Python, finished.
 */

import * as actions from "./actions";
import type { Engine } from "./engine";
import { Exploration } from "./explore";
import { Fields } from "./fields";
import type { Answer, Question } from "./messages";
import { addressOf, Permalink, stateInAddress } from "./permalink";
import { Results } from "./results";
import { State } from "./state";
import { Status } from "./status";
import { write, writeList } from "./writing";

const SAY_AFTER_MS = 700;

export class Calculator {
  private readonly fields: Fields;
  private readonly results: Results;
  private readonly exploration: Exploration;
  private readonly status: Status;
  private readonly state: State;
  private readonly permalink: Permalink | undefined;
  private readonly sentence: HTMLElement | null;
  private readonly notices: HTMLElement | null;
  private linkNotices: readonly string[] = [];
  private link = "";
  private explored = false;
  private speech: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly engine: Engine,
    /** Aborts when the element leaves the page. */
    signal: AbortSignal,
  ) {
    this.fields = new Fields(root);
    this.results = new Results(root);
    this.exploration = new Exploration(root);
    this.status = new Status(root);
    this.state = new State(this.fields.fills, (preset) => this.fields.standing(preset));
    this.sentence = root.querySelector<HTMLElement>("[data-sentence]");
    this.notices = root.querySelector<HTMLElement>("[data-notices]");
    const alone = document.querySelectorAll("ai-calculator").length === 1;
    this.permalink = alone ? new Permalink() : undefined;
    this.listen(signal);
    const fragment = this.permalink && stateInAddress();
    if (fragment !== undefined) this.read(fragment);
    this.engineChanged();
  }

  private listen(signal: AbortSignal): void {
    const { engine, root } = this;
    this.fields.listen(this.state, () => this.changed(), signal);
    this.exploration.listen((changes) => {
      for (const [name, text] of Object.entries(changes)) this.state.type(name, text);
      this.changed();
    }, signal);
    this.permalink?.listen((fragment) => this.read(fragment), signal);
    const reset = (): void => this.read("");
    const deeds: actions.Deeds = {
      reset,
      link: () => this.currentLink(),
      markdown: () => this.markdown(),
      print: () => window.print(),
      retry: () => engine.retry(),
    };
    actions.listen(root, deeds, signal);
    engine.addEventListener("change", () => this.engineChanged(), { signal });
    // The first touch is a sign that an answer will be wanted; the engine starts before it is.
    for (const sign of ["pointerdown", "focusin"]) root.addEventListener(sign, () => engine.start(), { signal, passive: true });
    signal.addEventListener("abort", () => (engine.forget(this), clearTimeout(this.speech)));
  }

  private engineChanged(): void {
    this.status.show(this.engine);
    if (this.engine.state === "live" && !this.explored) void this.explore(); // advice becomes something to click
  }

  /** Start over from what a link says; from the defaults if it says nothing. */
  private read(fragment: string): void {
    this.linkNotices = [];
    if (fragment === "") this.state.reset();
    else this.state.read(fragment);
    this.changed();
  }

  private changed(): void {
    clearTimeout(this.speech);
    if (this.engine.state !== "live") this.root.toggleAttribute("data-stale", true);
    void this.answer();
  }

  private question(ask: Question["ask"]): Question {
    return { ask, calculator: this.root.dataset["calculator"] ?? "", ...this.state.question() };
  }

  private async answer(): Promise<void> {
    const question = this.question("answer");
    const version = this.state.version;
    const answer = await this.engine.ask(this, question);
    if (!answer || !this.root.isConnected) return;
    const ofLink = question.fragment !== undefined;
    if (ofLink) this.linkNotices = answer.notices ?? [];
    const more = answer.given ? this.state.settle(version, answer.given, ofLink) : false;
    this.show(answer, version);
    if (ofLink && more) return this.answer();
    if (!answer.problems && !answer.failure) await this.explore();
  }

  private show(answer: Answer, version: number): void {
    const wrong = this.fields.show(answer, this.state, version);
    if (answer.failure) wrong.push(`This could not be calculated (${answer.failure}); the last results stand.`);
    this.results.show(answer);
    this.root.toggleAttribute("data-stale", !answer.texts);
    if (this.notices) writeList(this.notices, [...this.linkNotices, ...wrong]);
    const { sentence } = this;
    if (!sentence || answer.sentence === undefined) return;
    this.speech = setTimeout(() => write(sentence, answer.sentence ?? ""), SAY_AFTER_MS);
  }

  /** Ask for what may come a moment later than the answer. */
  private async explore(): Promise<string | undefined> {
    this.explored = true;
    const version = this.state.version;
    const answer = await this.engine.ask(this, this.question("explore"));
    if (!answer || answer.link === undefined || version !== this.state.version || !this.root.isConnected) return undefined;
    this.exploration.show(answer);
    this.link = answer.link;
    this.permalink?.write(this.link);
    for (const anchor of this.root.querySelectorAll<HTMLAnchorElement>("a[data-full]")) {
      anchor.hash = this.link; // the card's way to its full page takes the state along
    }
    return this.link;
  }

  private async currentLink(): Promise<string | undefined> {
    if (this.engine.state !== "live") return location.href;
    const link = await this.explore();
    return link === undefined ? undefined : addressOf(link);
  }

  private async markdown(): Promise<string | undefined> {
    const answer = await this.engine.ask(this, this.question("markdown"));
    return answer?.markdown?.replace("\nState: #", `\nState: ${addressOf("")}#`);
  }
}
