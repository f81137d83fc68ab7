/** The newest answers of one asker: what is told as what became different since one of them is made whole again. */

import type { Answer } from "../messages";

const KEPT = 4; // as many as answers/since.py
let asked = 0; // by all askers of the page, since they ask one engine

export class Recent {
  private readonly told = new Map<number, Answer>();

  /** What the next question says of itself: its number, and which answer there is. */
  next(): { number: number; since?: number } {
    const since = [...this.told.keys()].at(-1);
    return { number: ++asked, ...(since !== undefined && { since }) };
  }

  /** The answer to the question of this number, with all that stayed as it was. */
  whole(told: Answer, number: number): Answer {
    const before = told.since === undefined ? undefined : this.told.get(told.since);
    const whole = { ...told };
    for (const [name, gone] of before ? Object.entries(told.gone ?? {}) : []) {
      const key = name as "texts";
      const every: Record<string, string> = { ...before?.[key], ...told[key] };
      for (const one of gone) delete every[one];
      whole[key] = every;
    }
    this.told.delete(number);
    this.told.set(number, whole);
    for (const old of [...this.told.keys()].slice(0, -KEPT)) this.told.delete(old);
    return whole;
  }
}
