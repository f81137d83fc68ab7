/** Asks slow questions slice by slice, so that other questions need not wait for all of it. */

import type { Answer, Question } from "../messages";

// How long the engine works before it looks whether something else is asked: well within a frame.
export const SLICE_MS = 3;

export type Show = (answer: Answer) => void;

export class Slices {
  private readonly newest = new Map<string, symbol>(); // by kind of question: whose slices count

  constructor(private readonly ask: (question: Question) => Promise<Answer | undefined>) {}

  /** The answer to any question; while a layout has to be found for it, `wait` gets an estimate or how far the search is. */
  async whole(question: Question, wait: (slice: Answer) => boolean): Promise<Answer | undefined> {
    let answer = await this.ask({ ...question, slice_ms: SLICE_MS });
    while (answer?.waiting && wait(answer)) {
      answer = await this.ask({ ...question, slice_ms: SLICE_MS, ...(answer.cursor !== undefined && { cursor: answer.cursor }) });
    }
    return answer?.waiting ? undefined : answer;
  }

  /** Show all slices, or those after a cursor, until the same is asked again or `isCurrent` says that the state changed. */
  async run(question: Question, show: Show, isCurrent: () => boolean, after?: number): Promise<void> {
    const run = Symbol("run");
    const kind = question.asks.join(" ");
    this.newest.set(kind, run);
    let cursor = after;
    do {
      const answer = await this.ask({ ...question, slice_ms: SLICE_MS, ...(cursor !== undefined && { cursor }) });
      if (!answer || !isCurrent()) return;
      if (this.newest.get(kind) !== run) return; // its next slice would displace the newer question
      show(answer);
      cursor = answer.cursor;
    } while (cursor !== undefined);
  }
}
