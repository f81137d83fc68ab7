/**
 * Practice. Where machines are virtual, Python answers five times slower after a tenth of a second of rest, because all
 * that it touches has to be mapped again; and what a browser has not yet run often it has not yet compiled well. So for
 * a moment after an answer the worker asks itself the same again, and the beginning of what follows it, unless that
 * takes so long that the next question would have to wait for it. What it is asked meanwhile goes first.
 */

import type { Answer, Question } from "../messages";
import type { Respond } from "./protocol";

const LASTS_MS = 1000;
const EVERY_MS = 20;
const SHORT_ENOUGH_MS = 15;

export class Practice {
  private answer: string | undefined; // to be asked again
  private following: Question | undefined; // what follows it, in slices
  private cursor: number | undefined;
  private next: ReturnType<typeof setTimeout> | undefined;

  /** `broken` is called with what was thrown: the runtime itself is broken. */
  constructor(
    private readonly respond: Respond,
    private readonly broken: (error: unknown) => void,
  ) {}

  /** This was just answered. */
  learn({ slice_ms, ...question }: Question): void {
    this.answer = JSON.stringify({ ...question, asks: ["answer"] } satisfies Question);
    const { number: _, since: __, ...state } = question;
    this.following = slice_ms === undefined ? undefined : { ...state, asks: ["explore"], slice_ms };
    this.cursor = undefined;
  }

  stop(): void {
    clearTimeout(this.next);
  }

  /** There is nothing else to do for now. */
  begin(): void {
    if (this.answer !== undefined) this.goOn(this.answer, performance.now() + LASTS_MS);
  }

  private goOn(answer: string, until: number): void {
    this.next = setTimeout(() => {
      const start = performance.now();
      try {
        this.respond(answer);
        const took = performance.now() - start;
        if (this.following) this.explore(this.following);
        if (performance.now() < until && took < SHORT_ENOUGH_MS) this.goOn(answer, until);
      } catch (error) {
        this.broken(error);
      }
    }, EVERY_MS);
  }

  /** A slice of it, up to the edges: what stands below them may come later. */
  private explore(following: Question): void {
    const asked = this.cursor === undefined ? following : { ...following, cursor: this.cursor };
    const { cursor, edges } = JSON.parse(this.respond(JSON.stringify(asked))) as Answer;
    this.cursor = edges ? undefined : cursor;
  }
}
