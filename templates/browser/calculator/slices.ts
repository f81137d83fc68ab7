/** What takes long is asked slice by slice, so that whatever else is asked need not wait for all of it. */

import type { Answer, Question } from "../messages";

// How long the engine may work before it looks whether something else is asked: well within a frame.
export const SLICE_MS = 3;

export type Show = (told: Answer) => void;

export class Slices {
  private readonly newest = new Map<string, symbol>(); // by what is asked, whose slices count

  constructor(private readonly ask: (question: Question) => Promise<Answer | undefined>) {}

  /** Show them all, or those after a cursor, unless the same is asked anew meanwhile, or what they are of is no more. */
  async tell(asked: Question, show: Show, stands: () => boolean, after?: number): Promise<void> {
    const mine = Symbol("these slices");
    const kind = asked.asks.join(" ");
    this.newest.set(kind, mine);
    let cursor = after;
    do {
      const told = await this.ask({ ...asked, slice_ms: SLICE_MS, ...(cursor !== undefined && { cursor }) });
      if (!told || !stands()) return;
      if (this.newest.get(kind) !== mine) return; // or its next slice would be asked in the other's place
      show(told);
      cursor = told.cursor;
    } while (cursor !== undefined);
  }
}
