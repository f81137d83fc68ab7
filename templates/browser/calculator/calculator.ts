/**
 * One calculator on the page: collects what the reader sets, asks the engine, and puts the answer where the HTML says.
 * Texts come finished from Python.
 */

import type { Engine } from "../engine/engine";
import type { Answer, Ask, Question, Texts } from "../messages";
import type { Host } from "../review/host";
import * as actions from "./actions";
import { Announcer } from "./announcer";
import { keepAnswerInView } from "./answer-column";
import { Baseline } from "./baseline";
import { Deltas } from "./deltas";
import { Differences } from "./differences";
import { show, writeList } from "./dom";
import { Exploration } from "./exploration";
import { type Editing, Fields } from "./fields";
import { ImportedModel } from "./imported-model";
import { ReviewLoader } from "./loader";
import { Measurement } from "./measurement";
import { Motion } from "./motion";
import { PendingLink } from "./pending-link";
import { addressOf, Permalink, stateInAddress, textsOf } from "./permalink";
import { pinsOfLink, storedPins } from "./pin-storage";
import { writeFooterOnPrint } from "./print-footer";
import { RelatedLinks } from "./related";
import { Results } from "./results";
import { Sentence } from "./sentence";
import { type Show, SLICE_MS, Slices } from "./slices";
import { State } from "./state";
import { Status } from "./status";
import { Trail } from "./trail";

// How long after the last change the answer is announced to a screen reader.
const ANNOUNCE_AFTER_MS = 450;
// How long a pause in typing must be to mean that the text is complete and may be called invalid.
const TYPED_AFTER_MS = 700;

export class Calculator {
  private readonly fields: Fields;
  private results: Results;
  private readonly exploration: Exploration;
  private readonly differences: Differences;
  private readonly measurement: Measurement;
  private readonly motion: Motion;
  private readonly importedModel: ImportedModel;
  private readonly pending: PendingLink;
  private readonly status: Status;
  private readonly announcer: Announcer;
  private readonly state: State;
  private readonly sentence: Sentence | undefined;
  private readonly review: ReviewLoader | undefined;
  private readonly permalink: Permalink | undefined;
  private readonly notices: HTMLElement | null;
  private readonly trail: Trail;
  private readonly related: RelatedLinks;
  private readonly baseline: Baseline;
  private readonly deltas = new Deltas();
  private readonly slices: Slices;
  private linkNotices: readonly string[] = [];
  private isOfLink = false; // the state came from the address, which need not be written
  private isAddressDue = false; // the address does not hold the state yet
  private pinsInLink: readonly string[] = []; // states that the link carries, to compare its own with
  private answered = false;
  private isProvisional = false; // the answer shown is for a layout while a better one is searched for
  private isExplorationDue = false; // it waits until the control is at rest
  private spoken = "";
  private typing: ReturnType<typeof setTimeout> | undefined;
  private withheld: (() => void) | undefined; // shows problems of a text that is still being typed

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
    this.motion = new Motion(root, () => void this.rested());
    this.importedModel = new ImportedModel(root);
    this.pending = new PendingLink(root);
    this.status = new Status(root, () => this.pending.isPending);
    this.announcer = new Announcer(root, signal);
    const initial = JSON.parse(root.dataset["given"] ?? "{}") as Texts;
    this.state = new State(this.fields.fills, (preset) => this.fields.chosen(preset), initial);
    this.notices = root.querySelector<HTMLElement>("[data-notices]");
    this.slices = new Slices((question) => engine.ask(this, question));
    this.trail = new Trail(this.name);
    this.related = new RelatedLinks(root, this.trail);
    const baselineHost = {
      link: async () => (engine.state === "live" ? this.stamped([]) : undefined),
      changed: () => void this.explore(this.state.version),
      notify: (text: string) => this.announcer.notify(text),
    };
    this.baseline = new Baseline(root, baselineHost, signal);
    // The address holds the state on a calculator's own page only, which has room for notices about a link; a card has none.
    this.permalink = this.notices ? new Permalink() : undefined;
    if (this.permalink) {
      this.sentence = new Sentence(root, signal);
      this.review = new ReviewLoader(this.host(signal));
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
    this.fields.listen(this.state, (editing) => this.edited(editing), signal);
    this.exploration.listen((changes) => this.change(changes), signal);
    this.differences.listen((name) => this.fields.focus(name), signal);
    this.measurement.listen(() => void this.compare(), signal);
    this.importedModel.listen(() => void this.import(), signal);
    this.permalink?.listen((fragment) => this.open(fragment), signal);
    const handlers: actions.Handlers = {
      undo: () => void (this.state.undo() && this.changed()),
      redo: () => void (this.state.redo() && this.changed()),
      reset: () => this.open(""),
      link: async () => (engine.state === "live" ? this.link() : location.href),
      markdown: () => this.markdown(),
      described: async () => (await engine.ask(this, this.question("described")))?.described,
      print: () => window.print(),
      retry: () => engine.retry(),
    };
    // Before the browser follows the link that was clicked.
    const left = (event: Event): void => {
      if (event.type === "pagehide" || (event.target instanceof Element && event.target.closest("a[href]"))) this.left();
    };
    document.addEventListener("click", left, { signal, capture: true });
    window.addEventListener("pagehide", left, { signal });
    actions.listen(root, handlers, this.announcer, signal);
    actions.listenForKeys(this.permalink ? document : root, handlers, signal);
    writeFooterOnPrint(root, signal);
    keepAnswerInView(root, signal);
    // Unfolding a part of the page brings elements for results (theme/main.html, whose listener runs before).
    const unfolded = ({ target }: Event): void => {
      if (target instanceof Element && target.matches("details[open], [data-print-working]")) this.unfolded();
    };
    for (const sign of ["toggle", "change"]) root.addEventListener(sign, unfolded, { signal, capture: true });
    engine.addEventListener("change", () => this.engineChanged(), { signal });
    // The first touch starts the engine, before an answer is needed.
    for (const sign of ["pointerdown", "focusin"]) {
      root.addEventListener(sign, () => engine.start(), { signal, passive: true });
    }
    signal.addEventListener("abort", () => {
      engine.forget(this);
      this.motion.stop();
      clearTimeout(this.typing);
    });
  }

  private engineChanged(): void {
    this.pending.report(this.engine);
    this.status.show(this.engine);
    if (this.engine.state === "live" && !this.answered) void this.answer(); // recommendations become buttons
  }

  /** Open the state of another link; the defaults if it is empty. */
  private open(fragment: string): void {
    if (fragment !== "") {
      this.state.read(fragment);
      return this.linked(fragment);
    }
    this.state.reset();
    this.trail.clear();
    this.linkNotices = [];
    this.changed();
  }

  private linked(fragment: string): void {
    const isFirst = !this.answered;
    this.pinsInLink = pinsOfLink(fragment);
    this.trail.read(fragment);
    this.linkNotices = [];
    this.changed();
    this.isOfLink = true;
    this.isAddressDue = false;
    this.differences.raise();
    if (this.engine.state === "live" && !isFirst) return; // the answer comes within a frame
    this.fields.expect(textsOf(fragment));
    this.pending.begin(this.engine);
  }

  private edited(editing: Editing): void {
    if (editing === "left") return this.typed();
    clearTimeout(this.typing);
    this.typing = editing === "typing" ? setTimeout(() => this.typed(), TYPED_AFTER_MS) : undefined;
    this.changed();
  }

  /** The text is complete now, and may be called invalid. */
  private typed(): void {
    clearTimeout(this.typing);
    this.typing = undefined;
    this.withheld?.();
    this.withheld = undefined;
  }

  private changed(): void {
    this.isOfLink = false;
    this.isAddressDue = true;
    this.isExplorationDue = false;
    this.motion.begin();
    this.announcer.cancel();
    this.exploration.outdate();
    actions.allow(this.root, { undo: this.state.canUndo, redo: this.state.canRedo });
    if (this.engine.state !== "live") this.root.toggleAttribute("data-stale", true);
    void this.answer();
  }

  /** Nothing changed for a moment. */
  private async rested(): Promise<void> {
    if (this.isExplorationDue) void this.explore(this.state.version);
    if (this.measurement.isShown) void this.measure(this.state.version);
    const { version } = this.state;
    const link = await this.link();
    if (link !== undefined && version === this.state.version) this.announcer.announceOnce(this.spoken, ANNOUNCE_AFTER_MS);
  }

  private get isMachine(): boolean {
    return this.root.dataset["machine"] !== undefined;
  }

  private get name(): string {
    return this.root.dataset["calculator"] ?? "";
  }

  private question(...asks: Ask[]): Question {
    const { python } = this.results;
    return { asks, calculator: this.name, python, ...this.state.question() };
  }

  private host(signal: AbortSignal): Host {
    return {
      root: this.root,
      signal,
      name: this.name,
      explore: (ask, more, show) => void this.inSlices({ ...this.question(ask), ...more }, show),
      ask: (ask, more) => this.engine.ask(this, { ...this.question(ask), ...more }),
      change: (texts) => this.change(texts),
      open: (link) => this.open(link),
      link: async () => (this.engine.state === "live" ? this.stamped([]) : undefined),
      notify: (text) => this.announcer.notify(text),
    };
  }

  private change(texts: Texts): void {
    this.state.change(texts);
    this.changed();
  }

  private async answer(): Promise<void> {
    this.answered = true;
    const numbered = this.deltas.next();
    const question = { ...this.answerQuestion(), ...numbered };
    const version = this.state.version;
    const delta = await this.engine.ask(this, question);
    if (!delta || !this.root.isConnected) return;
    const answer = this.deltas.whole(delta, numbered.number);
    const ofLink = question.fragment !== undefined;
    if (ofLink) this.linkNotices = answer.notices ?? [];
    const more = answer.given ? this.state.settle(version, answer.given, ofLink) : false;
    this.withheld = answer.problems && this.typing !== undefined ? (): void => this.show(answer, version) : undefined;
    if (!this.withheld) this.show(answer, version);
    if (ofLink && more) return this.answer();
    if (!(answer.texts || answer.searching) || version !== this.state.version || !this.exploration.isShown) return;
    // On a system's page the exploration takes so long that it would delay the slider's next move.
    this.isExplorationDue = this.isMachine && this.motion.isChained && !answer.searching && this.motion.isActive;
    if (!this.isExplorationDue) void this.explore(version, answer.cursor);
  }

  /**
   * The question for an answer, with nothing that delays it: no exploration, and on a system's page no search. After a
   * first touch the exploration starts while the answer is drawn; while a slider keeps moving, drawing comes first.
   */
  private answerQuestion(): Question {
    if (this.isMachine) return { ...this.question("answer"), provisional: true };
    if (!this.exploration.isShown || this.motion.isChained) return this.question("answer");
    return { ...this.question("answer", "explore"), slice_ms: SLICE_MS };
  }

  /** Draw the model's curves for the state of that version, with the measurement that the reader pasted. */
  private async measure(version: number): Promise<Answer | undefined> {
    const question = { ...this.question("measured"), measured: this.measurement.pasted };
    const answer = await this.engine.ask(this, question);
    if (!answer || version !== this.state.version || !this.root.isConnected) return undefined;
    this.measurement.show(answer);
    return answer;
  }

  /** Compare the pasted measurement with the model, and announce the result. */
  private async compare(): Promise<void> {
    const compared = (await this.measure(this.state.version))?.compared;
    if (compared) this.announcer.announceOnce(compared.problem || compared.sentence, 0);
  }

  /** Fill in the inputs from the file that the reader gave, as one step that can be undone. */
  private async import(): Promise<void> {
    const { text } = this.importedModel;
    this.engine.start();
    const answer = await this.engine.ask(this, { ...this.question("imported"), imported: text });
    if (!answer || text !== this.importedModel.text || !this.root.isConnected) return;
    const changes = this.importedModel.show(answer);
    if (changes) this.change(changes);
    const { imported } = answer;
    if (imported) this.announcer.announceOnce(imported.problem || imported.sentence, 0);
  }

  private show(answer: Answer, version: number): void {
    const elsewhere = this.fields.show(answer, this.state, version);
    if (answer.failure) elsewhere.push(`This state could not be calculated (${answer.failure}). The results shown are the last valid ones.`);
    if (this.notices) writeList(this.notices, [...this.linkNotices, ...(answer.remarks ?? []), ...elsewhere]);
    this.root.toggleAttribute("data-stale", !answer.texts);
    this.isProvisional = answer.searching === true;
    for (const note of this.root.querySelectorAll<HTMLElement>("[data-searching]")) show(note, this.isProvisional);
    const wrong = [...Object.values(answer.problems ?? {}), ...(answer.failure ? elsewhere : [])];
    if (wrong.length > 0) this.announcer.announceOnce([...this.linkNotices, ...wrong].join(" "), 0);
    if (answer.texts) {
      this.results.show(answer);
      this.pending.end();
      this.spoken = [...this.linkNotices, answer.sentence ?? ""].join(" ").trim();
    } else if (this.isOfLink) this.pending.refuse();
    this.sentence?.answered(answer.problems);
    this.review?.answered(answer);
    if (answer.texts && this.pinsInLink.length > 0) {
      if (this.isMachine) this.baseline.set(this.pinsInLink[0]);
      if (!this.isMachine || this.pinsInLink.length > 1) this.review?.compare(this.pinsInLink);
      this.pinsInLink = [];
    }
  }

  /** Fill the unfolded part; formulas shown as Python need another question. */
  private unfolded(): void {
    const { python } = this.results;
    this.results = this.results.renewed();
    this.review?.unfolded();
    if (this.answered && this.results.python.some((name) => !python.includes(name))) void this.answer();
  }

  /** Show the exploration of the state of that version; it may have started already. */
  private async explore(version: number, cursor?: number): Promise<void> {
    this.isExplorationDue = false;
    const question = { ...this.question("explore"), ...this.baseline.states, provisional: this.isProvisional };
    await this.inSlices(question, (slice) => {
      if (slice.texts || slice.problems) this.show(slice, version);
      this.exploration.show(slice);
      this.results.showMore(slice);
      if (slice.levels) this.exploration.renew("[data-level-of]");
      if (slice.advice) this.exploration.renew("[data-recommendations]");
      if (slice.cells?.["beside.said"]) this.exploration.renew('[data-cell="beside.said"]');
      if (slice.idle) this.fields.showEffects(slice.idle);
    }, version, cursor);
  }

  /** Ask slice by slice, as long as the state of that version is current. */
  private inSlices(asked: Question, show: Show, version = this.state.version, cursor?: number): Promise<void> {
    return this.slices.run(asked, show, () => version === this.state.version && this.root.isConnected, cursor);
  }

  /** Write the state into the address and into the links to other pages; returns the link to it. */
  private async link(): Promise<string | undefined> {
    const stamped = await this.stamped(storedPins(this.name));
    return stamped && addressOf(stamped);
  }

  /** A link to copy, of the state when it was asked for, that carries these other states. */
  private async stamped(states: readonly string[]): Promise<string | undefined> {
    const version = this.state.version;
    const answer = (await this.engine.ask(this, { ...this.question("link"), states })) ?? {};
    const { link, stamped } = answer;
    if (link === undefined || !this.root.isConnected) return undefined;
    if (version === this.state.version) {
      this.differences.show(answer);
      this.publish(link);
    }
    return stamped ?? link;
  }

  private publish(link: string): void {
    if (!this.isOfLink) this.permalink?.write(link && link + this.trail.suffix);
    this.related.update(link);
    this.isAddressDue = false;
  }

  /** The reader leaves before the page came to rest: the state must be in the address for the way back. */
  private left(): void {
    if (this.isAddressDue) this.publish(this.state.fragmentText);
  }

  private async markdown(): Promise<string | undefined> {
    const answer = await this.engine.ask(this, this.question("markdown"));
    return answer?.markdown?.replace("\nState: #", `\nState: ${addressOf("")}#`);
  }
}
