/**
 * One calculator while it stands on the page: collects what the reader sets, asks the engine, and puts the answer where
 * the HTML says. Texts come from Python, finished.
 */

import * as actions from "./actions";
import type { Engine } from "../engine/engine";
import { Exploration } from "./explore";
import { Fields } from "./fields";
import type { Answer, Ask, Question, Texts } from "../messages";
import { listenForPrinting } from "./paper";
import { addressOf, Permalink, stateInAddress } from "./permalink";
import { Results } from "./results";
import { State } from "./state";
import { Status } from "./status";
import { write, writeList } from "./writing";

// How long a calculator must rest before what is out of sight is drawn and the address says where it stands (Safari
// refuses addresses that change too often); and how much longer before a screen reader is told the answer.
const REST_AFTER_MS = 250;
const SAY_AFTER_MS = 450;

export class Calculator {
  private readonly fields: Fields;
  private readonly results: Results;
  private readonly exploration: Exploration;
  private readonly status: Status;
  private readonly state: State;
  private readonly permalink: Permalink | undefined;
  private readonly sentence: HTMLElement | null;
  private readonly notices: HTMLElement | null;
  private readonly cardLinks: NodeListOf<HTMLAnchorElement>;
  private linkNotices: readonly string[] = [];
  private answered = false;
  private spoken = "";
  private rest: ReturnType<typeof setTimeout> | undefined;

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
    const initial = JSON.parse(root.dataset["given"] ?? "{}") as Texts;
    this.state = new State(this.fields.fills, (preset) => this.fields.chosen(preset), initial);
    this.sentence = root.querySelector<HTMLElement>("[data-sentence]");
    this.notices = root.querySelector<HTMLElement>("[data-notices]");
    this.cardLinks = root.querySelectorAll<HTMLAnchorElement>("a[data-full]");
    // The address belongs to a calculator's own page, which has a place to say what is wrong with a link; a card has none.
    this.permalink = this.notices ? new Permalink() : undefined;
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
    const deeds: actions.Deeds = {
      reset: () => this.read(""),
      link: async () => (engine.state === "live" ? this.link() : location.href),
      markdown: () => this.markdown(),
      print: () => window.print(),
      retry: () => engine.retry(),
    };
    actions.listen(root, deeds, signal);
    listenForPrinting(root, signal);
    engine.addEventListener("change", () => this.engineChanged(), { signal });
    // The first touch is a sign that an answer will be wanted; the engine starts before it is.
    for (const sign of ["pointerdown", "focusin"]) {
      root.addEventListener(sign, () => engine.start(), { signal, passive: true });
    }
    signal.addEventListener("abort", () => (engine.forget(this), clearTimeout(this.rest)));
  }

  private engineChanged(): void {
    this.status.show(this.engine);
    if (this.engine.state === "live" && !this.answered) void this.answer(); // advice becomes something to click
  }

  /** Start over from what a link says; from the defaults if it says nothing. */
  private read(fragment: string): void {
    this.linkNotices = [];
    if (fragment === "") this.state.reset();
    else this.state.read(fragment);
    this.changed();
  }

  private changed(): void {
    this.root.toggleAttribute("data-moving", true);
    clearTimeout(this.rest);
    this.rest = setTimeout(() => void this.rested(), REST_AFTER_MS);
    if (this.engine.state !== "live") this.root.toggleAttribute("data-stale", true);
    void this.answer();
  }

  /** Nothing was changed for a moment. */
  private async rested(): Promise<void> {
    this.root.toggleAttribute("data-moving", false);
    if ((await this.link()) === undefined) return;
    this.rest = setTimeout(() => this.sentence && write(this.sentence, this.spoken), SAY_AFTER_MS);
  }

  private question(...asks: Ask[]): Question {
    const { python } = this.results;
    return { asks, calculator: this.root.dataset["calculator"] ?? "", python, ...this.state.standing() };
  }

  private async answer(): Promise<void> {
    this.answered = true;
    const question = this.question("answer", "explore");
    const version = this.state.version;
    const answer = await this.engine.ask(this, question);
    if (!answer || !this.root.isConnected) return;
    const ofLink = question.fragment !== undefined;
    if (ofLink) this.linkNotices = answer.notices ?? [];
    const more = answer.given ? this.state.settle(version, answer.given, ofLink) : false;
    this.show(answer, version);
    if (ofLink && more) return this.answer();
  }

  private show(answer: Answer, version: number): void {
    const wrong = this.fields.show(answer, this.state, version);
    if (answer.failure) wrong.push(`This could not be calculated (${answer.failure}); the last results stand.`);
    if (this.notices) writeList(this.notices, [...this.linkNotices, ...(answer.remarks ?? []), ...wrong]);
    this.root.toggleAttribute("data-stale", !answer.texts);
    if (!answer.texts) return;
    this.results.show(answer);
    this.exploration.show(answer);
    this.spoken = answer.sentence ?? "";
  }

  /** Let the address, and a card's way to the full page, say where the calculator stands; returns that address. */
  private async link(): Promise<string | undefined> {
    const version = this.state.version;
    const { link } = (await this.engine.ask(this, this.question("link"))) ?? {};
    if (link === undefined || version !== this.state.version || !this.root.isConnected) return undefined;
    this.permalink?.write(link);
    for (const anchor of this.cardLinks) anchor.hash = link;
    return addressOf(link);
  }

  private async markdown(): Promise<string | undefined> {
    const answer = await this.engine.ask(this, this.question("markdown"));
    return answer?.markdown?.replace("\nState: #", `\nState: ${addressOf("")}#`);
  }
}
