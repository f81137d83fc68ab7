/**
 * The engine as the page sees it: one worker for the whole visit, asked one thing at a time. Python starts as the
 * machine that the build made; when that fails in any way, or takes too long, plainly. The engine replaces a worker that
 * died and asks again, plainly where the machine itself had failed; after three deaths it stops, until the reader says to
 * try again.
 */

import type { Answer, Question } from "../messages";
import { afterFirstPaint } from "../page/paint";
import { filesFor, type EngineManifest, type FromWorker, type Way } from "./protocol";
import { Queue, type Job } from "./queue";
import { spawn, type Spawned } from "./spawn";
import { Watchdog } from "./watchdog";

export type EngineState = "idle" | "downloading" | "starting" | "live" | "failed";

/** How long nothing may happen: before the plain way is tried after the machine, and before that fails too. */
const SILENT_DOWNLOAD_MS = { machine: 15_000, plain: 30_000 };
const SLOW_START_MS = { machine: 15_000, plain: 60_000 };
const SLOW_ANSWER_MS = 5_000;
const MOST_DEATHS = 3;
const DEATHS_COUNT_FOR_MS = 10 * 60_000;

/** Dispatches "change" whenever its state, its progress or its reason changed; "rest" once nothing is wanted of it. */
export class Engine extends EventTarget {
  state: EngineState = "idle";
  /** How it started, or is about to. */
  way: Way;
  loaded = 0;
  total = 0;
  /** Why it failed: a whole sentence. */
  reason = "";
  private worker: Spawned | undefined;
  private readonly watchdog = new Watchdog();
  private readonly queue = new Queue();
  private inFlight: { id: number; job: Job } | undefined;
  private asked = 0;
  private isBidden = false;
  private deaths: number[] = [];

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
    if (this.state !== "idle" || this.isBidden) return;
    this.isBidden = true;
    afterFirstPaint(() => this.launch());
  }

  /** Start anew after a failure. */
  retry(): void {
    if (this.state !== "failed") return;
    this.deaths = [];
    this.way = this.bestWay;
    this.launch();
  }

  /** Whether it was told to start and has not yet, or has something to answer. */
  get isWanted(): boolean {
    if (this.state === "live") return this.inFlight !== undefined;
    return this.isBidden && this.state !== "failed";
  }

  private get bestWay(): Way {
    return this.manifest.machine ? "machine" : "plain";
  }

  /** Ask, starting the engine if need be. Gives undefined when a newer question of the asker's took its place. */
  ask(asker: object, question: Question): Promise<Answer | undefined> {
    const answer = new Promise<Answer | undefined>((settle) => this.queue.add({ asker, question, settle }));
    this.start();
    this.next();
    return answer;
  }

  /** Ask nothing more on behalf of this asker. */
  forget(asker: object): void {
    this.queue.forget(asker);
  }

  private launch(): void {
    this.loaded = 0;
    this.total = filesFor(this.way, this.manifest).reduce((sum, file) => sum + file.size, 0);
    this.become("downloading");
    this.expectBytes();
    try {
      const heard = (message: FromWorker): void => this.heard(message);
      this.worker = spawn(this.way, this.source, this.base, this.manifest, heard, (reason) => this.died(reason));
    } catch (error) {
      this.fail(`The browser refused to start it: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }

  private heard(message: FromWorker): void {
    switch (message.kind) {
      case "progress":
        this.loaded = message.loaded;
        this.expectBytes();
        return this.changed();
      case "starting":
        this.watch(SLOW_START_MS[this.way], () => this.notStarted("Its files are here, but Python did not start."));
        return this.become("starting");
      case "live":
        this.watchdog.disarm();
        this.become("live");
        return this.next();
      case "failed":
        return this.failedItself(message.reason);
      case "answer":
        return this.answered(message.id, message.text);
    }
  }

  private next(): void {
    if (this.state !== "live" || this.inFlight || !this.worker) return;
    const job = this.queue.next();
    if (!job) return this.rest();
    this.inFlight = { id: ++this.asked, job };
    this.watch(SLOW_ANSWER_MS, () => this.died("it did not answer"));
    this.worker.post({ kind: "ask", id: this.asked, text: JSON.stringify(job.question) });
  }

  private answered(id: number, text: string): void {
    if (this.inFlight?.id !== id) return;
    const { job } = this.inFlight;
    this.inFlight = undefined;
    this.watchdog.disarm();
    job.settle(JSON.parse(text) as Answer);
    this.next();
  }

  /** Its program came to an end, and would at the same place again. */
  private failedItself(reason: string): void {
    if (this.state === "live" && this.way === "machine") {
      console.info(`The machine failed: ${reason}. Python starts plainly.`);
      this.way = "plain";
    }
    this.died(reason);
  }

  private died(reason: string): void {
    if (this.state !== "live") return this.notStarted(`It could not be started: ${reason}.`);
    const now = performance.now();
    this.deaths = [...this.deaths.filter((then) => now - then < DEATHS_COUNT_FOR_MS), now];
    this.bury();
    if (this.deaths.length < MOST_DEATHS) this.launch();
    else this.fail(`It broke down ${MOST_DEATHS} times; the last time ${reason}.`);
  }

  private expectBytes(): void {
    const late = (): void => this.notStarted("Its files stopped arriving; the network may be down.");
    this.watch(SILENT_DOWNLOAD_MS[this.way], late);
  }

  /** One way failed: take the other, unless this was it. */
  private notStarted(reason: string): void {
    if (this.way === "plain") return this.fail(reason);
    console.info(`The machine could not be used. ${reason} Python starts plainly.`);
    this.bury();
    this.way = "plain";
    this.launch();
  }

  private fail(reason: string): void {
    this.bury();
    this.reason = reason;
    this.become("failed");
    this.rest();
  }

  /** End the worker; what it was asked waits for its successor. */
  private bury(): void {
    this.watchdog.disarm();
    this.worker?.end();
    this.worker = undefined;
    if (this.inFlight) this.queue.again(this.inFlight.job);
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
