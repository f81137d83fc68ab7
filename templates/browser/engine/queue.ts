/**
 * Questions that wait for the engine: of each asker the newest of a kind, but every one that a pressed button waits for.
 * First come, first served, except that explorations, which take long, wait for everything else; and a new answer drops
 * the exploration of the state before.
 */

import type { Answer, Ask, Question } from "../messages";

/** Every press gets its answer: pinning and copying both need a link to the state at that moment. */
const PRESSED: ReadonlySet<Ask> = new Set<Ask>(["link", "markdown", "described", "choices"]);
/** What takes long only where a layout has to be found first. */
const AT_ONCE: ReadonlySet<Ask> = new Set<Ask>([...PRESSED, "answer", "measured", "imported"]);

export interface Job {
  readonly asker: object;
  readonly question: Question;
  /** With undefined: a newer question replaced it. */
  readonly settle: (answer: Answer | undefined) => void;
}

export class Queue {
  private waiting: Job[] = [];

  add(job: Job): void {
    this.drop((old) => isSameKind(old, job) || (isExploration(old) && isAnswer(job) && old.asker === job.asker));
    this.waiting.push(job);
  }

  next(): Job | undefined {
    const urgent = this.waiting.findIndex((job) => !isExploration(job));
    return this.waiting.splice(Math.max(urgent, 0), 1)[0];
  }

  /** Put a job whose worker died first, unless its asker has a newer question by now. */
  requeue(job: Job): void {
    if (this.waiting.some((newer) => isSameKind(newer, job))) job.settle(undefined);
    else this.waiting.unshift(job);
  }

  forget(asker: object): void {
    this.drop((job) => job.asker === asker);
  }

  private drop(unwanted: (job: Job) => boolean): void {
    const dropped = this.waiting.filter(unwanted);
    this.waiting = this.waiting.filter((job) => !dropped.includes(job));
    for (const job of dropped) job.settle(undefined);
  }
}

function isSameKind(one: Job, other: Job): boolean {
  const [kind] = one.question.asks;
  return one.asker === other.asker && kind === other.question.asks[0] && !(kind && PRESSED.has(kind));
}

function isExploration({ question }: Job): boolean {
  const [kind] = question.asks;
  return question.slice_ms !== undefined && kind !== undefined && !AT_ONCE.has(kind);
}

function isAnswer({ question }: Job): boolean {
  return question.asks.includes("answer");
}
