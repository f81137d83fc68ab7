/**
 * The engine as the page sees it: one worker for the whole visit, asked one question at a time. Python starts from the
 * snapshot that the build made; when that fails or takes too long, from plain Pyodide. The engine replaces a worker that
 * died and asks again, plainly if the snapshot itself had failed; after three deaths it stops until the reader tries again.
 */

import type { Answer, Question } from "../messages";
import { ownFacts } from "../own/storage";
import { afterFirstPaint } from "../page/paint";
import { filesFor, type EngineManifest, type FromWorker, type Way } from "./protocol";
import { Queue, type Job } from "./queue";
import { spawn, type Spawned } from "./spawn";
import { Watchdog } from "./watchdog";

export type EngineState = "idle" | "downloading" | "starting" | "live" | "failed";

/** How long nothing may happen before the plain way is tried, and before that fails too. */
const SILENT_DOWNLOAD_MS = { snapshot: 15_000, plain: 30_000 };
const SLOW_START_MS = { snapshot: 15_000, plain: 60_000 };
/** How long a slice may take: on a busy machine its code is compiled slowly, and the first one runs cold. */
const SLOW_ANSWER_MS = { cold: 20_000, warm: 10_000 };
/** How long without other questions to answer: a document is parsed in one piece. */
const PATIENT_MS = 120_000;
const MOST_DEATHS = 3;
const DEATHS_COUNT_FOR_MS = 10 * 60_000;

/** Dispatches "change" when its state, progress or reason changed; "rest" when it has nothing left to do. */
export class Engine extends EventTarget {
  state: EngineState = "idle";
  /** How it started, or is about to. */
  way: Way;
  loaded = 0;
  total = 0;
  /** Why it failed: a whole sentence. */
  reason = "";
  /** Whether it was ended because its answers may be wrong. */
  isDistrusted = false;
  private worker: Spawned | undefined;
  private readonly watchdog = new Watchdog();
  private readonly queue = new Queue();
  private inFlight: { id: number; job: Job } | undefined;
  private asked = 0;
  private isRequested = false;
  private deaths: number[] = [];
  private answersWithin = SLOW_ANSWER_MS;
  private warmth: keyof typeof SLOW_ANSWER_MS = "cold";

  constructor(
    private readonly source: string,
    private readonly base: string,
    private readonly manifest: EngineManifest,
  ) {
    super();
    this.way = this.bestWay;
  }

  /** Start, unless it was started already or has failed; never before the page can be read. */
  start(): void {
    if (this.state !== "idle" || this.isRequested) return;
    this.isRequested = true;
    afterFirstPaint(() => this.launch());
  }

  /** End it: what it answered may be wrong. */
  distrust(reason: string): void {
    if (this.state === "idle" || this.state === "failed") return;
    this.isDistrusted = true;
    this.fail(reason);
  }

  /** Say why it failed, where that became known later. */
  explain(reason: string): void {
    if (this.state !== "failed") return;
    this.reason = reason;
    this.changed();
  }

  /** Start again after a failure. */
  retry(): void {
    if (this.state !== "failed") return;
    this.isDistrusted = false;
    this.deaths = [];
    this.way = this.bestWay;
    this.launch();
  }

  /** Start again: the reader's own facts are others now. */
  renew(): void {
    const isRunning = this.state !== "idle" && this.state !== "failed";
    if (isRunning) this.bury();
    this.deaths = [];
    this.way = this.bestWay;
    if (isRunning || this.state === "failed") this.launch();
  }

  /** Whether it is starting, or has something to answer. */
  get isBusy(): boolean {
    if (this.state === "live") return this.inFlight !== undefined;
    return this.isRequested && this.state !== "failed";
  }

  /** The snapshot has the published facts: with others the calculators are imported again. */
  private get bestWay(): Way {
    return this.manifest.snapshot && ownFacts() === "" ? "snapshot" : "plain";
  }

  /** Ask, starting the engine if needed. Returns undefined when a newer question of the same asker replaced this one. */
  ask(asker: object, question: Question): Promise<Answer | undefined> {
    const answer = new Promise<Answer | undefined>((settle) => this.queue.add({ asker, question, settle }));
    this.start();
    this.next();
    return answer;
  }

  /**
   * Another engine for what would keep this one busy, which starts plainly: Python then has the source of the
   * calculators, and all its functions. End it after use.
   */
  plainly(): Engine {
    const engine = new Engine(this.source, this.base, this.manifest);
    engine.way = "plain";
    engine.answersWithin = { cold: PATIENT_MS, warm: PATIENT_MS };
    return engine;
  }

  /** End its worker for good. */
  end(): void {
    this.bury();
  }

  /** Drop the questions of this asker. */
  forget(asker: object): void {
    this.queue.forget(asker);
  }

  private launch(): void {
    this.loaded = 0;
    this.total = filesFor(this.way, this.manifest).reduce((sum, file) => sum + file.size, 0);
    this.warmth = "cold";
    this.become("downloading");
    this.expectBytes();
    try {
      const received = (message: FromWorker): void => this.received(message);
      this.worker = spawn(this.way, this.source, this.base, this.manifest, received, (reason) => this.died(reason));
    } catch (error) {
      this.fail(`The browser refused to start Python: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }

  private received(message: FromWorker): void {
    switch (message.kind) {
      case "progress":
        this.loaded = message.loaded;
        this.expectBytes();
        return this.changed();
      case "starting":
        this.watch(SLOW_START_MS[this.way], () => this.notStarted("The files have loaded, but Python did not start."));
        return this.become("starting");
      case "live":
        this.watchdog.disarm();
        this.become("live");
        return this.next();
      case "failed":
        return this.crashed(message.reason);
      case "answer":
        return this.answered(message.id, message.text);
    }
  }

  private next(): void {
    if (this.state !== "live" || this.inFlight || !this.worker) return;
    const job = this.queue.next();
    if (!job) return this.rest();
    this.inFlight = { id: ++this.asked, job };
    this.watch(this.answersWithin[this.warmth], () => this.died("it did not answer"));
    this.worker.post({ kind: "ask", id: this.asked, text: JSON.stringify({ ...job.question, day: today() }) });
  }

  private answered(id: number, text: string): void {
    if (this.inFlight?.id !== id) return;
    const { job } = this.inFlight;
    this.inFlight = undefined;
    this.warmth = "warm";
    this.watchdog.disarm();
    job.settle(JSON.parse(text) as Answer);
    this.next();
  }

  /** Its program ended with an error, and would do so again. */
  private crashed(reason: string): void {
    if (this.state === "live" && this.way === "snapshot") {
      console.info(`The snapshot failed: ${reason}. Python starts plainly.`);
      this.way = "plain";
    }
    this.died(reason);
  }

  private died(reason: string): void {
    if (this.state !== "live") return this.notStarted(`Python could not be started: ${reason}.`);
    const now = performance.now();
    this.deaths = [...this.deaths.filter((then) => now - then < DEATHS_COUNT_FOR_MS), now];
    this.bury();
    if (this.deaths.length < MOST_DEATHS) this.launch();
    else this.fail(`Python stopped ${MOST_DEATHS} times; the last time ${reason}.`);
  }

  private expectBytes(): void {
    const late = (): void => this.notStarted("The download stopped: check the network.");
    this.watch(SILENT_DOWNLOAD_MS[this.way], late);
  }

  /** One way failed: take the other, if there is one. */
  private notStarted(reason: string): void {
    if (this.way === "plain") return this.fail(reason);
    console.info(`The snapshot could not be used. ${reason} Python starts plainly.`);
    this.bury();
    this.way = "plain";
    this.launch();
  }

  private fail(reason: string): void {
    this.bury();
    this.reason = ownFacts() === "" ? reason : `${reason} It was started with your own facts: without them it may run.`;
    this.become("failed");
    this.rest();
  }

  /** End the worker; its question waits for the next one. */
  private bury(): void {
    this.watchdog.disarm();
    this.worker?.end();
    this.worker = undefined;
    if (this.inFlight) this.queue.requeue(this.inFlight.job);
    this.inFlight = undefined;
  }

  private watch(wait: number, late: () => void): void {
    this.watchdog.arm(wait, late);
  }

  private become(state: EngineState): void {
    this.state = state;
    this.changed();
  }

  private rest(): void {
    this.dispatchEvent(new Event("rest"));
  }

  private changed(): void {
    this.dispatchEvent(new Event("change"));
  }
}

/** The reader's day, from which prices age. */
function today(): string {
  return new Date().toLocaleDateString("sv-SE"); // which writes a day as 2026-11-22
}
