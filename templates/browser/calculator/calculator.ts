/**
 * One calculator on the page: collects what the reader sets, asks the engine, and puts the answer where the HTML says.
 * Texts come finished from Python.
 */

import type { Engine } from "../engine/engine";
import type { Answer, Question, Texts } from "../messages";
import type { Host } from "../review/host";
import * as actions from "./actions";
import { Address } from "./address/address";
import { Announcer } from "./answer/announcer";
import { ChartPoints } from "./answer/chart-points";
import { keepAnswerInView } from "./answer/answer-column";
import { Baseline } from "./pins/baseline";
import { Deltas } from "./deltas";
import { Differences } from "./inputs/differences";
import { writeAttribute, writeList } from "./answer/dom";
import { Estimate } from "./answer/estimate";
import { Exploration } from "./answer/exploration";
import { type Editing, Fields } from "./inputs/fields";
import { filterInputs } from "./inputs/filter";
import { Typing } from "./inputs/typing";
import { ReviewLoader } from "./loader";
import { Lag } from "./lag";
import { Motion } from "./answer/motion";
import { ownFacts } from "../own/storage";
import { sharesOwnFacts } from "../own/menus";
import { drawn } from "../page/trusted";
import { Pasted } from "./inputs/pasted";
import { PendingLink } from "./address/pending-link";
import { Permalink, stateInAddress, textsOf } from "./address/permalink";
import { pinsOfLink } from "./pins/pin-storage";
import { Pins } from "./pins/pins";
import { writeFooterOnPrint } from "./answer/print-footer";
import { Requests } from "./requests";
import { Results } from "./answer/results";
import { Sentence } from "./answer/sentence";
import { type Show, SLICE_MS } from "./slices";
import { State } from "./state";
import { Status } from "./status";
import { showOnePart } from "./tabs";

// How long after the last change the answer is announced to a screen reader.
const ANNOUNCE_AFTER_MS = 450;
const SEARCHING = "Searching for the best layout.";

export class Calculator {
  private readonly fields: Fields;
  private results: Results;
  private readonly exploration: Exploration;
  private readonly points: ChartPoints;
  private readonly differences: Differences;
  private readonly pasted: Pasted;
  private readonly motion: Motion;
  private readonly lag: Lag;
  private readonly pending: PendingLink;
  private readonly status: Status;
  private readonly announcer: Announcer;
  private readonly state: State;
  private readonly sentence: Sentence | undefined;
  private readonly review: ReviewLoader | undefined;
  private readonly permalink: Permalink | undefined;
  private readonly notices: HTMLElement | null;
  private readonly estimate: Estimate;
  private readonly address: Address;
  private readonly baseline: Baseline;
  private readonly pins: Pins;
  private readonly deltas = new Deltas();
  private readonly requests: Requests;
  private linkNotices: readonly string[] = [];
  private awaited: string | undefined; // the link whose answer is on the way
  private pinsInLink: readonly string[] = []; // states that the link carries, to compare its own with
  private answered = false;
  private isExplorationDue = false; // it waits until the control is at rest
  private spoken = "";
  private readonly typing = new Typing();

  constructor(
    private readonly root: HTMLElement,
    private readonly engine: Engine,
    /** Aborts when the element leaves the page. */
    signal: AbortSignal,
  ) {
    this.fields = new Fields(root);
    this.results = new Results(root);
    this.points = new ChartPoints(root, signal);
    this.exploration = new Exploration(root, this.points);
    this.differences = new Differences(root);
    this.motion = new Motion(root, () => void this.rested());
    this.lag = new Lag(root);
    this.pending = new PendingLink(root);
    this.status = new Status(root, () => this.pending.isPending);
    this.announcer = new Announcer(root, signal);
    const initial = JSON.parse(root.dataset["given"] ?? "{}") as Texts;
    this.state = new State(this.fields.fills, (preset) => this.fields.chosen(preset), initial);
    writeAttribute(root, "data-state", String(this.state.version));
    this.notices = root.querySelector<HTMLElement>("[data-notices]");
    this.estimate = new Estimate(root);
    this.requests = new Requests(root, engine, this.state, () => this.results.python, signal);
    this.pins = new Pins(this.requests.name);
    const host = this.host(signal);
    this.baseline = new Baseline(root, host, signal);
    this.pins.addEventListener("change", () => void (this.answered && this.answer()), { signal });
    // The address holds the state on a calculator's own page only, which has room for notices about a link; a card has none.
    this.permalink = this.notices ? new Permalink() : undefined;
    this.address = new Address(root, this.requests.name, this.permalink, this.state, this.differences, (states) =>
      this.requests.whole({ ...this.requests.question("link"), states, ...(sharesOwnFacts(root) ? { own: true } : {}) }),
    );
    if (this.permalink) {
      this.sentence = new Sentence(root, signal);
      this.review = new ReviewLoader(host);
    }
    const ask: Host["ask"] = (what, more) => (engine.start(), host.ask(what, more)); // a file may be dropped first of all
    const announce = (text: string): void => this.announcer.announceOnce(text, 0);
    this.pasted = new Pasted(root, this.state, { ask, question: (what) => this.requests.question(what), engine, change: host.change, announce }, signal);
    this.listen(signal);
    const fragment = this.permalink && stateInAddress();
    if (fragment !== undefined) {
      this.state.open(fragment);
      this.linked(fragment);
    } else if (ownFacts() !== "") this.changed(); // the page was built without them
    this.engineChanged();
  }

  private listen(signal: AbortSignal): void {
    const { engine, root } = this;
    this.fields.listen(this.state, (editing) => this.edited(editing), signal);
    this.exploration.listen((changes) => this.change(changes), signal);
    this.differences.listen((name) => this.fields.focus(name), signal);
    this.permalink?.listen((fragment) => this.open(fragment), signal);
    const handlers: actions.Handlers = {
      undo: () => void (this.state.undo() && this.changed()),
      redo: () => void (this.state.redo() && this.changed()),
      reset: () => this.open(""),
      link: async () => (engine.state === "live" ? this.address.link() : location.href),
      summary: () => this.requests.markdown("summary"),
      markdown: () => this.requests.markdown("markdown"),
      described: async () => (await this.requests.whole(this.requests.question("described")))?.described,
      spreadsheet: () => this.requests.spreadsheet(this.announcer),
      print: () => window.print(),
      retry: () => engine.retry(),
    };
    // Before the browser follows the link that was clicked.
    const left = (event: Event): void => {
      if (event.type !== "click" || (event.target instanceof Element && event.target.closest("a[href]"))) this.address.left();
    };
    document.addEventListener("click", left, { signal, capture: true });
    for (const sign of ["pagehide", "leave"]) window.addEventListener(sign, left, { signal }); // "leave": offline/update.ts
    actions.listen(root, handlers, this.announcer, signal);
    actions.listenForKeys(this.permalink ? document : root, handlers, signal);
    writeFooterOnPrint(root, signal);
    keepAnswerInView(root, signal);
    showOnePart(root, signal);
    filterInputs(root, signal);
    // Unfolding a part of the page adds elements for results (theme/main.html, whose listener runs before).
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
      this.motion.stop();
      this.lag.stop();
      this.typing.stop();
    });
  }

  private engineChanged(): void {
    if (this.engine.isDistrusted && this.answered) this.distrust();
    this.pending.report(this.engine);
    this.status.show(this.engine);
    if (this.engine.state === "live" && !this.answered) void this.answer(); // recommendations become buttons
  }

  /** Nothing that the engine answered may stay; the state is asked about again when it is back. */
  private distrust(): void {
    this.answered = false;
    this.root.toggleAttribute("data-stale", true);
    this.pending.begin(this.engine);
    this.outdate();
  }

  /** Open the state of another link; the defaults if it is empty. */
  private open(fragment: string): void {
    if (fragment !== "") {
      this.state.read(fragment);
      return this.linked(fragment);
    }
    this.state.reset();
    this.address.clear();
    this.linkNotices = [];
    this.changed();
  }

  private linked(fragment: string): void {
    const isFirst = !this.answered;
    this.pinsInLink = pinsOfLink(fragment);
    this.linkNotices = [];
    this.changed();
    this.address.opened(fragment);
    this.differences.raise();
    if (this.engine.state === "live" && !isFirst) return; // the answer comes within a frame
    this.fields.expect(textsOf(fragment));
    this.pending.begin(this.engine);
  }

  private edited(editing: Editing): void {
    if (editing === "left") return this.typing.end();
    if (editing === "typing") this.typing.begin();
    else this.typing.stop();
    this.changed();
  }

  private changed(): void {
    this.address.changed();
    this.isExplorationDue = false;
    this.motion.begin();
    this.announcer.cancel();
    this.lag.changed();
    this.outdate();
    actions.allow(this.root, { undo: this.state.canUndo, redo: this.state.canRedo });
    if (this.engine.state !== "live") {
      this.root.toggleAttribute("data-stale", true);
      this.pending.begin(this.engine);
    }
    void this.answer();
  }

  /** Nothing that was found for an earlier state may be read as this one's. */
  private outdate(): void {
    writeAttribute(this.root, "data-state", String(this.state.version));
    this.exploration.outdate();
    this.pasted.outdate();
    this.review?.outdate();
  }

  /** The state has no answer, and no other state's stays on the page. */
  private empty(): void {
    this.results.empty();
    this.exploration.empty();
    this.pasted.outdate();
    this.differences.show({});
    this.spoken = "";
    this.estimate.say("");
    this.pending.refuse(this.address.isOfLink ? "This link" : "This state");
  }

  /** Nothing changed for a moment. */
  private async rested(): Promise<void> {
    if (this.awaited !== undefined) return; // it comes to rest with its answer
    if (this.isExplorationDue) void this.explore(this.state.version);
    this.pasted.rested();
    const { version } = this.state;
    const link = await this.address.link();
    if (link !== undefined && version === this.state.version) this.announcer.announceOnce(this.spoken, ANNOUNCE_AFTER_MS);
  }

  private get isMachine(): boolean {
    return this.root.dataset["machine"] !== undefined;
  }

  private host(signal: AbortSignal): Host {
    return {
      root: this.root,
      signal,
      name: this.requests.name,
      pins: this.pins,
      explore: (ask, more, show) => void this.inSlices({ ...this.requests.question(ask), ...more }, show),
      ask: (ask, more) => this.requests.whole({ ...this.requests.question(ask), ...more }),
      change: (texts) => this.change(texts),
      open: (link) => this.open(link),
      link: async () => (this.engine.state === "failed" ? undefined : this.address.stamped([])),
      notify: (text) => this.announcer.notify(text),
      drawn,
      points: this.points,
    };
  }

  private change(texts: Texts): void {
    this.state.change(texts);
    this.changed();
  }

  private async answer(): Promise<void> {
    this.answered = true;
    const { fragment } = this.state.question();
    if (fragment !== undefined && fragment === this.awaited) return; // what is set meanwhile is asked about after it
    this.awaited = fragment;
    const numbered = this.deltas.next();
    const question = { ...this.answerQuestion(), ...numbered };
    const version = this.state.version;
    const wait = (slice: Answer): boolean => {
      const isWanted = fragment === this.state.question().fragment;
      if (isWanted) this.wait(slice, version);
      return isWanted;
    };
    const delta = await (fragment === undefined ? this.requests.atOnce(question) : this.requests.whole(question, wait));
    if (this.awaited === fragment) this.awaited = undefined;
    if (!delta || !this.root.isConnected) return;
    const answer = this.deltas.whole(delta, numbered.number);
    const ofLink = question.fragment !== undefined;
    if (ofLink) this.linkNotices = answer.notices ?? [];
    const more = answer.given ? this.state.settle(version, answer.given, ofLink) : false;
    this.typing.show(answer.problems !== undefined, () => this.show(answer, version));
    if (ofLink && !this.motion.isActive) void this.rested(); // else it comes to rest by itself
    if (ofLink && more) return this.answer();
    if (!(answer.texts || answer.searching) || version !== this.state.version) return;
    if (!this.exploration.isShown && !answer.searching) return; // a card shows the answer alone
    // On a system's page the exploration takes so long that it would delay the slider's next move.
    this.isExplorationDue = this.isMachine && this.motion.isChained && !answer.searching && this.motion.isActive;
    if (!this.isExplorationDue) void this.explore(version, question.asks.includes("explore") ? answer.cursor : undefined);
  }

  /** What is shown of a link's state while a layout is searched for: an estimate, if there is one, or the search's words. */
  private wait(slice: Answer, version: number): void {
    if (slice.texts) {
      this.linkNotices = slice.notices ?? [];
      this.show(slice, version);
    } else if (this.estimate.isShown) this.estimate.say(slice.waiting ?? SEARCHING);
    else this.pending.search(slice.waiting ?? SEARCHING);
  }

  /**
   * The question for an answer, with nothing that delays it: no exploration, and no search for a system's layout. After a
   * first touch the exploration starts while the answer is drawn; while a slider keeps moving, drawing comes first.
   */
  private answerQuestion(): Question {
    if (this.isMachine) return { ...this.requests.question("answer"), provisional: true };
    const isLink = this.state.question().fragment !== undefined; // which may lead here from a system
    const more = { ...this.baseline.states, ...(isLink && { provisional: true }) };
    if (!this.exploration.isShown || this.motion.isChained) return { ...this.requests.question("answer"), ...more };
    return { ...this.requests.question("answer", "explore"), ...more, slice_ms: SLICE_MS };
  }

  private show(answer: Answer, version: number): void {
    const elsewhere = this.fields.show(answer, this.state, version);
    if (answer.failure) elsewhere.push(`This state could not be calculated (${answer.failure}).`);
    if (this.notices) writeList(this.notices, [...this.linkNotices, ...(answer.remarks ?? []), ...elsewhere]);
    this.root.toggleAttribute("data-stale", !answer.texts);
    this.lag.answered(version === this.state.version);
    this.estimate.mark(answer.searching === true);
    const wrong = [...Object.values(answer.problems ?? {}), ...(answer.failure ? elsewhere : [])];
    if (wrong.length > 0) this.announcer.announceOnce([...this.linkNotices, ...wrong].join(" "), 0);
    if (answer.texts) {
      this.results.show(answer);
      writeAttribute(this.root, "data-of", this.estimate.isShown ? "" : String(version));
      this.points.answered(answer.texts);
      this.pending.end();
      this.spoken = [...this.linkNotices, answer.sentence ?? ""].join(" ").trim();
    } else {
      writeAttribute(this.root, "data-of", "");
      if (answer.searching) this.pending.search(SEARCHING);
      else this.empty();
    }
    this.sentence?.answered(answer.problems);
    this.review?.answered(answer);
    if (answer.texts && this.pinsInLink.length > 0) {
      const pinned = this.pinsInLink;
      this.pinsInLink = [];
      this.pins.replace(pinned);
      if (!this.isMachine || pinned.length > 1) this.review?.compare();
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
    const question = { ...this.requests.question("explore"), ...this.baseline.states, provisional: this.estimate.isShown };
    await this.inSlices(question, (slice) => {
      if (slice.texts || slice.problems) this.show(slice, version);
      this.exploration.show(slice);
      this.results.showMore(slice);
      const { progress } = slice;
      if (progress !== undefined) this.estimate.say(progress);
      if (slice.levels) this.exploration.renewLimits(), this.review?.renewed();
      if (slice.advice) this.exploration.renew("[data-recommendations]");
      if (slice.against) this.exploration.renew('[data-cell="against.text"]');
      if (slice.cells?.["comparison.text"]) this.exploration.renew('[data-cell="comparison.text"]');
      if (slice.idle) this.fields.showEffects(slice.idle);
    }, version, cursor);
  }

  /** Ask slice by slice, while the answer on the page has places for it. */
  private inSlices(asked: Question, show: Show, version?: number, cursor?: number): Promise<void> {
    const isMore = (): boolean => this.exploration.isShown || this.estimate.isShown;
    return this.requests.inSlices(asked, show, isMore, version, cursor);
  }
}
