/**
 * One calculator while it stands on the page: collects what the reader sets, asks the engine, and puts the answer where
 * the HTML says. Texts come from Python, finished.
 */

import * as actions from "./actions";
import type { Engine } from "../engine/engine";
import { Before } from "./before";
import { Differences } from "./differences";
import { Door, type Host } from "./door";
import { Exploration } from "./explore";
import { Fields, type Doing } from "./fields";
import type { Answer, Ask, Question, Texts } from "../messages";
import { Held } from "./held";
import { Imported } from "./imported";
import { Measurement } from "./measurement";
import { Moving } from "./moving";
import { Onward } from "./onward";
import { keepAnswerInSight } from "./panel";
import { listenForPrinting } from "./paper";
import { addressOf, Permalink, stateInAddress, textsOf } from "./permalink";
import { Pending } from "./pending";
import { keptPins, pinsIn } from "./pinned";
import { Recent } from "./recent";
import { Results } from "./results";
import { Sentence } from "./sentence";
import { type Show, SLICE_MS, Slices } from "./slices";
import { State } from "./state";
import { Status } from "./status";
import { Voice } from "./voice";
import { show, writeList } from "./writing";

// How long after coming to rest a screen reader is told the answer.
const SAY_AFTER_MS = 450;
// How long a pause in typing must be to mean that the text is complete, so that it may be called wrong.
const TYPED_AFTER_MS = 700;

export class Calculator {
  private readonly fields: Fields;
  private results: Results;
  private readonly exploration: Exploration;
  private readonly differences: Differences;
  private readonly measurement: Measurement;
  private readonly moving: Moving;
  private readonly imported: Imported;
  private readonly pending: Pending;
  private readonly status: Status;
  private readonly voice: Voice;
  private readonly state: State;
  private readonly sentence: Sentence | undefined;
  private readonly door: Door | undefined;
  private readonly permalink: Permalink | undefined;
  private readonly notices: HTMLElement | null;
  private readonly before: Before;
  private readonly onward: Onward;
  private readonly held: Held;
  private readonly recent = new Recent();
  private readonly slices: Slices;
  private linkNotices: readonly string[] = [];
  private isOfLink = false; // the state is the address's own, so the address need not be told
  private isUntold = false; // the address does not say it yet
  private brought: readonly string[] = []; // other states that the link holds, to be shown beside its own
  private answered = false;
  private isProvisional = false; // the answer that stands is of a layout that is still searched for
  private isUnexplored = false; // what follows the answer waits until the hand rests
  private spoken = "";
  private typing: ReturnType<typeof setTimeout> | undefined;
  private withheld: (() => void) | undefined; // problems of a text that is still being typed

  constructor(
    private readonly root: HTMLElement,
    private readonly engine: Engine,
    /** Aborts when the element leaves the page. */
    signal: AbortSignal,
  ) {
    this.fields = new Fields(root);
    this.results = new Results(root);
    this.exploration = new Exploration(root);
    this.differences = new Differences(root);
    this.measurement = new Measurement(root);
    this.moving = new Moving(root, () => void this.rested());
    this.imported = new Imported(root);
    this.pending = new Pending(root);
    this.status = new Status(root, () => this.pending.is);
    this.voice = new Voice(root, signal);
    const initial = JSON.parse(root.dataset["given"] ?? "{}") as Texts;
    this.state = new State(this.fields.fills, (preset) => this.fields.chosen(preset), initial);
    this.notices = root.querySelector<HTMLElement>("[data-notices]");
    this.slices = new Slices((question) => engine.ask(this, question));
    this.before = new Before(this.name);
    this.onward = new Onward(root, this.before);
    const holding = {
      link: async () => (engine.state === "live" ? this.stamped([]) : undefined),
      changed: () => void this.explore(this.state.version),
      say: (text: string) => this.voice.tell(text),
    };
    this.held = new Held(root, holding, signal);
    // The address belongs to a calculator's own page, which has a place to say what is wrong with a link; a card has none.
    this.permalink = this.notices ? new Permalink() : undefined;
    if (this.permalink) {
      this.sentence = new Sentence(root, signal);
      this.door = new Door(this.host(signal));
    }
    this.listen(signal);
    const fragment = this.permalink && stateInAddress();
    if (fragment !== undefined) {
      this.state.open(fragment);
      this.linked(fragment);
    }
    this.engineChanged();
  }

  private listen(signal: AbortSignal): void {
    const { engine, root } = this;
    this.fields.listen(this.state, (doing) => this.did(doing), signal);
    this.exploration.listen((changes) => this.change(changes), signal);
    this.differences.listen((name) => this.fields.focus(name), signal);
    this.measurement.listen(() => void this.compare(), signal);
    this.imported.listen(() => void this.import(), signal);
    this.permalink?.listen((fragment) => this.read(fragment), signal);
    const deeds: actions.Deeds = {
      undo: () => void (this.state.undo() && this.changed()),
      redo: () => void (this.state.redo() && this.changed()),
      reset: () => this.read(""),
      link: async () => (engine.state === "live" ? this.link() : location.href),
      markdown: () => this.markdown(),
      described: async () => (await engine.ask(this, this.question("described")))?.described,
      print: () => window.print(),
      retry: () => engine.retry(),
    };
    // Before anybody follows the link that was clicked.
    const left = (event: Event): void => {
      if (event.type === "pagehide" || (event.target instanceof Element && event.target.closest("a[href]"))) this.left();
    };
    document.addEventListener("click", left, { signal, capture: true });
    window.addEventListener("pagehide", left, { signal });
    actions.listen(root, deeds, this.voice, signal);
    actions.listenForKeys(this.permalink ? document : root, deeds, signal);
    listenForPrinting(root, signal);
    keepAnswerInSight(root, signal);
    // A part of the page that is unfolded comes with places for results: theme/main.html, which was told before.
    const unfolded = ({ target }: Event): void => {
      if (target instanceof Element && target.matches("details[open], [data-print-working]")) this.unfolded();
    };
    for (const sign of ["toggle", "change"]) root.addEventListener(sign, unfolded, { signal, capture: true });
    engine.addEventListener("change", () => this.engineChanged(), { signal });
    // The first touch is a sign that an answer will be wanted; the engine starts before it is.
    for (const sign of ["pointerdown", "focusin"]) {
      root.addEventListener(sign, () => engine.start(), { signal, passive: true });
    }
    signal.addEventListener("abort", () => {
      engine.forget(this);
      this.moving.stop();
      clearTimeout(this.typing);
    });
  }

  private engineChanged(): void {
    this.pending.tell(this.engine);
    this.status.show(this.engine);
    if (this.engine.state === "live" && !this.answered) void this.answer(); // advice becomes something to click
  }

  /** Start over from what another link says; from the defaults if it says nothing. */
  private read(fragment: string): void {
    if (fragment !== "") {
      this.state.read(fragment);
      return this.linked(fragment);
    }
    this.state.reset();
    this.before.forget();
    this.linkNotices = [];
    this.changed();
  }

  private linked(fragment: string): void {
    const isFirst = !this.answered;
    this.brought = pinsIn(fragment);
    this.before.read(fragment);
    this.linkNotices = [];
    this.changed();
    this.isOfLink = true;
    this.isUntold = false;
    this.differences.raise();
    if (this.engine.state === "live" && !isFirst) return; // it is answered within a frame
    this.fields.expect(textsOf(fragment));
    this.pending.begin(this.engine);
  }

  private did(doing: Doing): void {
    if (doing === "left") return this.typed();
    clearTimeout(this.typing);
    this.typing = doing === "typing" ? setTimeout(() => this.typed(), TYPED_AFTER_MS) : undefined;
    this.changed();
  }

  /** What is being typed is complete now, and may be called wrong. */
  private typed(): void {
    clearTimeout(this.typing);
    this.typing = undefined;
    this.withheld?.();
    this.withheld = undefined;
  }

  private changed(): void {
    this.isOfLink = false;
    this.isUntold = true;
    this.isUnexplored = false;
    this.moving.begin();
    this.voice.hush();
    this.exploration.outdate();
    actions.allow(this.root, { undo: this.state.canUndo, redo: this.state.canRedo });
    if (this.engine.state !== "live") this.root.toggleAttribute("data-stale", true);
    void this.answer();
  }

  /** Nothing was changed for a moment. */
  private async rested(): Promise<void> {
    if (this.isUnexplored) void this.explore(this.state.version);
    if (this.measurement.isShown) void this.measure(this.state.version);
    const { version } = this.state;
    const link = await this.link();
    if (link !== undefined && version === this.state.version) this.voice.sayOnce(this.spoken, SAY_AFTER_MS);
  }

  private get isMachine(): boolean {
    return this.root.dataset["machine"] !== undefined;
  }

  private get name(): string {
    return this.root.dataset["calculator"] ?? "";
  }

  private question(...asks: Ask[]): Question {
    const { python } = this.results;
    return { asks, calculator: this.name, python, ...this.state.standing() };
  }

  private host(signal: AbortSignal): Host {
    return {
      root: this.root,
      signal,
      name: this.name,
      explore: (ask, more, told) => void this.inSlices({ ...this.question(ask), ...more }, told),
      ask: (ask, more) => this.engine.ask(this, { ...this.question(ask), ...more }),
      change: (texts) => this.change(texts),
      read: (link) => this.read(link),
      link: async () => (this.engine.state === "live" ? this.stamped([]) : undefined),
      say: (text) => this.voice.tell(text),
    };
  }

  private change(texts: Texts): void {
    this.state.change(texts);
    this.changed();
  }

  private async answer(): Promise<void> {
    this.answered = true;
    const numbered = this.recent.next();
    const question = { ...this.asking(), ...numbered };
    const version = this.state.version;
    const told = await this.engine.ask(this, question);
    if (!told || !this.root.isConnected) return;
    const answer = this.recent.whole(told, numbered.number);
    const ofLink = question.fragment !== undefined;
    if (ofLink) this.linkNotices = answer.notices ?? [];
    const more = answer.given ? this.state.settle(version, answer.given, ofLink) : false;
    this.withheld = answer.problems && this.typing !== undefined ? (): void => this.show(answer, version) : undefined;
    if (!this.withheld) this.show(answer, version);
    if (ofLink && more) return this.answer();
    if (!(answer.texts || answer.searching) || version !== this.state.version || !this.exploration.isShown) return;
    // What follows a machine's answer takes so long that it would only be in the way of a slider's next move.
    this.isUnexplored = this.isMachine && this.moving.isChained && !answer.searching && this.moving.is;
    if (!this.isUnexplored) void this.explore(version, answer.cursor);
  }

  /**
   * What is asked for an answer: nothing that keeps it waiting, neither what follows it nor a machine's search. What
   * follows is begun while a first touch is drawn; while a slider goes on moving, drawing has the processor to itself.
   */
  private asking(): Question {
    if (this.isMachine) return { ...this.question("answer"), provisional: true };
    if (!this.exploration.isShown || this.moving.isChained) return this.question("answer");
    return { ...this.question("answer", "explore"), slice_ms: SLICE_MS };
  }

  /** Draw the model's curves for the state of that version, and what the reader pasted beside them. */
  private async measure(version: number): Promise<Answer | undefined> {
    const question = { ...this.question("measured"), measured: this.measurement.pasted };
    const told = await this.engine.ask(this, question);
    if (!told || version !== this.state.version || !this.root.isConnected) return undefined;
    this.measurement.show(told);
    return told;
  }

  /** Put what was just pasted beside the model, and say what that amounts to. */
  private async compare(): Promise<void> {
    const told = await this.measure(this.state.version);
    if (told?.compared) this.voice.sayOnce(told.compared.problem || told.compared.sentence, 0);
  }

  /** Read the file that the reader gave, and fill in what it says, as one step that can be undone. */
  private async import(): Promise<void> {
    const { text } = this.imported;
    this.engine.start();
    const told = await this.engine.ask(this, { ...this.question("imported"), imported: text });
    if (!told || text !== this.imported.text || !this.root.isConnected) return;
    const changes = this.imported.show(told);
    if (changes) this.change(changes);
    if (told.imported) this.voice.sayOnce(told.imported.problem || told.imported.sentence, 0);
  }

  private show(answer: Answer, version: number): void {
    const elsewhere = this.fields.show(answer, this.state, version);
    if (answer.failure) elsewhere.push(`This could not be calculated (${answer.failure}); the last results stand.`);
    if (this.notices) writeList(this.notices, [...this.linkNotices, ...(answer.remarks ?? []), ...elsewhere]);
    this.root.toggleAttribute("data-stale", !answer.texts);
    this.isProvisional = answer.searching === true;
    for (const place of this.root.querySelectorAll<HTMLElement>("[data-searching]")) show(place, this.isProvisional);
    const wrong = [...Object.values(answer.problems ?? {}), ...(answer.failure ? elsewhere : [])];
    if (wrong.length > 0) this.voice.sayOnce([...this.linkNotices, ...wrong].join(" "), 0);
    if (answer.texts) {
      this.results.show(answer);
      this.pending.end();
      this.spoken = [...this.linkNotices, answer.sentence ?? ""].join(" ").trim();
    } else if (this.isOfLink) this.pending.refuse();
    this.sentence?.answered(answer.problems);
    this.door?.answered(answer);
    if (answer.texts && this.brought.length > 0) {
      const [first = ""] = this.brought;
      if (this.isMachine) this.held.take(first);
      if (!this.isMachine || this.brought.length > 1) this.door?.compare(this.brought);
      this.brought = [];
    }
  }

  /** Fill what came to the page; a formula that stands there as Python is asked for. */
  private unfolded(): void {
    const { python } = this.results;
    this.results = this.results.again();
    this.door?.unfolded();
    if (this.answered && this.results.python.some((name) => !python.includes(name))) void this.answer();
  }

  /** Show what more there is to say of the state of that version, as long as it stands; it may be under way already. */
  private async explore(version: number, cursor?: number): Promise<void> {
    this.isUnexplored = false;
    const question = { ...this.question("explore"), ...this.held.states, provisional: this.isProvisional };
    await this.inSlices(question, (told) => {
      if (told.texts || told.problems) this.show(told, version);
      this.exploration.show(told);
      this.results.showMore(told);
      if (told.levels) this.exploration.renew("[data-level-of]");
      if (told.advice) this.exploration.renew("[data-advice]");
      if (told.cells?.["beside.said"]) this.exploration.renew('[data-cell="beside.said"]');
      if (told.idle) this.fields.showEffects(told.idle);
    }, version, cursor);
  }

  /** Show slice by slice what is asked, as long as the state of that version stands. */
  private inSlices(asked: Question, show: Show, version = this.state.version, cursor?: number): Promise<void> {
    return this.slices.tell(asked, show, () => version === this.state.version && this.root.isConnected, cursor);
  }

  /** Let the address, and the ways to other pages, say where the calculator stands; returns the link to it. */
  private async link(): Promise<string | undefined> {
    const stamped = await this.stamped(keptPins(this.name));
    return stamped && addressOf(stamped);
  }

  /** What a copied link says, with these links beside it: of the state in which it was asked for. */
  private async stamped(states: readonly string[]): Promise<string | undefined> {
    const version = this.state.version;
    const told = (await this.engine.ask(this, { ...this.question("link"), states })) ?? {};
    const { link, stamped } = told;
    if (link === undefined || !this.root.isConnected) return undefined;
    if (version === this.state.version) {
      this.differences.show(told);
      this.tell(link);
    }
    return stamped ?? link;
  }

  private tell(link: string): void {
    if (!this.isOfLink) this.permalink?.write(link && link + this.before.behind);
    this.onward.tell(link);
    this.isUntold = false;
  }

  /** The reader goes elsewhere before it rested: what was set must be there on the way back. */
  private left(): void {
    if (this.isUntold) this.tell(this.state.words);
  }

  private async markdown(): Promise<string | undefined> {
    const answer = await this.engine.ask(this, this.question("markdown"));
    return answer?.markdown?.replace("\nState: #", `\nState: ${addressOf("")}#`);
  }
}
