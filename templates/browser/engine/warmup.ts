/**
 * Warm-up. On virtual machines Python answers five times slower after 0.1 s of rest, because all memory it
 * touches has to be mapped again; and what a browser has run only a few times it has not compiled well. So for a moment
 * after an answer the worker asks itself the same again, and the beginning of what follows it, unless that takes so long
 * that the next question would have to wait. Questions from the page come first.
 */

import type { Answer, Question } from "../messages";
import type { Respond } from "./protocol";

const LASTS_MS = 1000;
const EVERY_MS = 20;
const SHORT_ENOUGH_MS = 15;

export class Warmup {
  private answer: string | undefined; // the question to repeat
  private following: Question | undefined; // what follows it, in slices
  private cursor: number | undefined;
  private next: ReturnType<typeof setTimeout> | undefined;

  /** `broken` is called with what was thrown: the runtime itself is broken. */
  constructor(
    private readonly respond: Respond,
    private readonly broken: (error: unknown) => void,
  ) {}

  /** Repeat this question from now on: it was just answered. */
  learn({ slice_ms, ...question }: Question): void {
    this.answer = JSON.stringify({ ...question, asks: ["answer"] } satisfies Question);
    const { number: _, since: __, ...state } = question;
    this.following = slice_ms === undefined ? undefined : { ...state, asks: ["explore"], slice_ms };
    this.cursor = undefined;
  }

  stop(): void {
    clearTimeout(this.next);
  }

  /** The worker is idle. */
  begin(): void {
    if (this.answer !== undefined) this.repeat(this.answer, performance.now() + LASTS_MS);
  }

  private repeat(answer: string, until: number): void {
    this.next = setTimeout(() => {
      const start = performance.now();
      try {
        this.respond(answer);
        const took = performance.now() - start;
        if (this.following) this.explore(this.following);
        if (performance.now() < until && took < SHORT_ENOUGH_MS) this.repeat(answer, until);
      } catch (error) {
        this.broken(error);
      }
    }, EVERY_MS);
  }

  /** One slice, up to the thresholds: what is below them on the page may come later. */
  private explore(following: Question): void {
    const question = this.cursor === undefined ? following : { ...following, cursor: this.cursor };
    const { cursor, edges } = JSON.parse(this.respond(JSON.stringify(question))) as Answer;
    this.cursor = edges ? undefined : cursor;
  }
}
