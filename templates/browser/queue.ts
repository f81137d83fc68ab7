/** What waits for the engine: per asker one question of a kind, the newest; answers come before explorations. */

import type { Answer, Question } from "./messages";

export interface Job {
  readonly asker: object;
  readonly question: Question;
  /** With undefined: a newer question took its place. */
  readonly settle: (answer: Answer | undefined) => void;
}

const ORDER = ["answer", "markdown", "explore"] as const;

export class Queue {
  private waiting: Job[] = [];

  get length(): number {
    return this.waiting.length;
  }

  add(job: Job): void {
    const superseded = (old: Job): boolean =>
      old.asker === job.asker &&
      (old.question.ask === job.question.ask || (old.question.ask === "explore" && job.question.ask === "answer"));
    this.drop(superseded);
    this.waiting.push(job);
  }

  next(): Job | undefined {
    for (const kind of ORDER) {
      const place = this.waiting.findIndex((job) => job.question.ask === kind);
      if (place >= 0) return this.waiting.splice(place, 1)[0];
    }
    return undefined;
  }

  /** A job whose worker died goes first again, unless its asker wants something newer by now. */
  again(job: Job): void {
    const newer = this.waiting.some((other) => other.asker === job.asker && other.question.ask === job.question.ask);
    if (newer) job.settle(undefined);
    else this.waiting.unshift(job);
  }

  forget(asker: object): void {
    this.drop((job) => job.asker === asker);
  }

  private drop(wanted: (job: Job) => boolean): void {
    const dropped = this.waiting.filter(wanted);
    this.waiting = this.waiting.filter((job) => !wanted(job));
    for (const job of dropped) job.settle(undefined);
  }
}
