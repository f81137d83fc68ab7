/** Rebuilds whole answers: Python sends only what changed since an answer that the page has already. */

import type { Answer } from "../messages";

const KEPT = 4; // as many as answers/since.py
let asked = 0; // by all calculators of the page, since they share one engine

export class Deltas {
  private readonly answers = new Map<number, Answer>();

  /** The number of the next question, and of the newest answer at hand. */
  next(): { number: number; since?: number } {
    const since = [...this.answers.keys()].at(-1);
    return { number: ++asked, ...(since !== undefined && { since }) };
  }

  /** The answer to the question of this number, with everything that did not change. */
  whole(delta: Answer, number: number): Answer {
    const before = delta.since === undefined ? undefined : this.answers.get(delta.since);
    const whole = { ...delta };
    for (const [name, gone] of before ? Object.entries(delta.gone ?? {}) : []) {
      const key = name as "texts";
      const every: Record<string, string> = { ...before?.[key], ...delta[key] };
      for (const one of gone) delete every[one];
      whole[key] = every;
    }
    this.answers.delete(number);
    this.answers.set(number, whole);
    for (const old of [...this.answers.keys()].slice(0, -KEPT)) this.answers.delete(old);
    return whole;
  }
}
