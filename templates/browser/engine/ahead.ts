/**
 * The next slices of what is told in slices, made before the page asks for them: drawing what came before may keep it
 * busy for longer than they take. Whatever the worker is asked meanwhile goes first, and a new answer ends it.
 */

import type { Answer, Question } from "../messages";
import type { Respond } from "./protocol";

const MOST_UNASKED = 64; // no more is made of an exploration with which nobody goes on
const MOST_KEPT = 16; // explorations; Python keeps as many under way (calculators/bridge.py)

interface Going {
  readonly question: Question;
  readonly unasked: number;
}

export class Ahead {
  private readonly made = new Map<number, Answer>(); // by the cursors with which the page will ask
  private readonly going = new Map<number, Going>(); // by the same, in turn
  private readonly turns = new MessageChannel();
  private isDue = false;

  /** `over` is called when there is nothing more to make, with what was thrown if that is why. */
  constructor(
    private readonly respond: Respond,
    private readonly over: (error?: unknown) => void,
  ) {
    this.turns.port1.onmessage = () => this.takeTurn();
  }

  get isGoing(): boolean {
    return this.going.size > 0;
  }

  stop(): void {
    this.going.clear();
  }

  /** The answer to a question, here as it came too: what was made of it already, if anything. */
  answer(text: string, question: Question): string {
    const { cursor } = question;
    const made = cursor === undefined ? undefined : this.made.get(cursor);
    if (cursor !== undefined) {
      this.made.delete(cursor);
      this.going.delete(cursor); // it is answered now; asked again later, one that came to its end would begin anew
    }
    const told = made === undefined ? this.respond(text) : JSON.stringify(made);
    if (question.slice_ms !== undefined) this.goOn(question, (made ?? (JSON.parse(told) as Answer)).cursor);
    return told;
  }

  private goOn(question: Question, cursor: number | undefined): void {
    if (cursor === undefined) return;
    this.going.set(cursor, { question: { ...question, cursor }, unasked: 0 });
    this.callTurn();
  }

  /** Behind whatever the worker was asked until now. */
  private callTurn(): void {
    if (!this.isDue) this.turns.port2.postMessage(undefined);
    this.isDue = true;
  }

  private takeTurn(): void {
    this.isDue = false;
    const [first] = this.going;
    if (!first) return;
    const [cursor, { question, unasked }] = first;
    this.going.delete(cursor);
    try {
      const told = JSON.parse(this.respond(JSON.stringify(question))) as Answer;
      this.made.set(cursor, together(this.made.get(cursor), told));
      for (const oldest of [...this.made.keys()].slice(0, -MOST_KEPT)) this.made.delete(oldest);
      if (told.cursor === cursor && unasked < MOST_UNASKED) this.going.set(cursor, { question, unasked: unasked + 1 });
      if (this.isGoing) this.callTurn();
      else this.over();
    } catch (error) {
      this.stop();
      this.over(error);
    }
  }
}

/** Two slices as one: what has names in both has the names of both. */
function together(first: Answer | undefined, second: Answer): Answer {
  const { cursor: _, ...before } = first ?? {};
  const both: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(second)) {
    const was = both[key];
    both[key] = isNamed(was) && isNamed(value) ? { ...was, ...value } : value;
  }
  return both;
}

function isNamed(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
