/**
 * Prefetch: computes the next slices of a sliced answer before the page asks for them, while the page is busy drawing
 * the ones before. Questions from the page come first, and a new answer ends it.
 */

import type { Answer, Question } from "../messages";
import type { Respond } from "./protocol";

const MOST_UNASKED = 64; // slices computed of an exploration that the page has stopped following
const MOST_KEPT = 16; // explorations; Python keeps as many in progress (calculators/bridge.py)

interface Task {
  readonly question: Question;
  readonly unasked: number;
}

export class Prefetch {
  private readonly ready = new Map<number, Answer>(); // by the cursor with which the page will ask
  private readonly tasks = new Map<number, Task>(); // by the same, in turn
  private readonly turns = new MessageChannel();
  private isDue = false;

  /** `over` is called when there is nothing more to compute, with the error if that is why. */
  constructor(
    private readonly respond: Respond,
    private readonly over: (error?: unknown) => void,
  ) {
    this.turns.port1.onmessage = () => this.takeTurn();
  }

  get isActive(): boolean {
    return this.tasks.size > 0;
  }

  stop(): void {
    this.tasks.clear();
  }

  /** The answer to a question, from what is ready if possible. */
  answer(text: string, question: Question): string {
    const { cursor } = question;
    const ready = cursor === undefined ? undefined : this.ready.get(cursor);
    if (cursor !== undefined) {
      this.ready.delete(cursor);
      this.tasks.delete(cursor); // it is answered now; asked again after its end, Python would start over
    }
    const answer = ready === undefined ? this.respond(text) : JSON.stringify(ready);
    if (question.slice_ms !== undefined) this.add(question, (ready ?? (JSON.parse(answer) as Answer)).cursor);
    return answer;
  }

  private add(question: Question, cursor: number | undefined): void {
    if (cursor === undefined) return;
    this.tasks.set(cursor, { question: { ...question, cursor }, unasked: 0 });
    this.scheduleTurn();
  }

  /** Behind whatever the page has asked until now. */
  private scheduleTurn(): void {
    if (!this.isDue) this.turns.port2.postMessage(undefined);
    this.isDue = true;
  }

  private takeTurn(): void {
    this.isDue = false;
    const [first] = this.tasks;
    if (!first) return;
    const [cursor, { question, unasked }] = first;
    this.tasks.delete(cursor);
    try {
      const answer = JSON.parse(this.respond(JSON.stringify(question))) as Answer;
      this.ready.set(cursor, merged(this.ready.get(cursor), answer));
      for (const oldest of [...this.ready.keys()].slice(0, -MOST_KEPT)) this.ready.delete(oldest);
      if (answer.cursor === cursor && unasked < MOST_UNASKED) this.tasks.set(cursor, { question, unasked: unasked + 1 });
      if (this.isActive) this.scheduleTurn();
      else this.over();
    } catch (error) {
      this.stop();
      this.over(error);
    }
  }
}

/** Two slices as one: a record that both have gets the names of both. */
function merged(first: Answer | undefined, second: Answer): Answer {
  const { cursor: _, ...before } = first ?? {};
  const both: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(second)) {
    const earlier = both[key];
    both[key] = isRecord(earlier) && isRecord(value) ? { ...earlier, ...value } : value;
  }
  return both;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
