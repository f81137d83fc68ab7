/**
 * The engine's worker: Python with the calculators in it. It starts when told where its files are, then answers texts
 * with texts (calculators/bridge.py). It is a blob of the page, whose script carries this source (spawn.ts says why).
 */

import type { Question } from "../messages";
import { Ahead } from "./ahead";
import type { FromWorker, Respond, ToWorker } from "./protocol";
import { start } from "./python";

declare const self: DedicatedWorkerGlobalScope;

// Where machines are virtual, Python answers five times slower after a tenth of a second of rest, because all that it
// touches has to be mapped again. So for a moment after an answer it stays in practice, asking itself the same again,
// unless that takes so long that the next question would have to wait for it. What it is asked meanwhile goes first.
const IN_PRACTICE_FOR_MS = 1000;
const PRACTICE_EVERY_MS = 20;
const SHORT_ENOUGH_MS = 15;

let respond: Respond | undefined;
let ahead: Ahead | undefined;
let practiced: string | undefined; // what was last asked of those worth it
let practicing: ReturnType<typeof setTimeout> | undefined;

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "ask") answer(data.id, data.text, data.practice);
  else if (data.kind === "ping") say({ kind: "pong" });
  else {
    hold(data.lock);
    const progress = (loaded: number, total: number): void => {
      say({ kind: "progress", loaded, total });
      if (loaded >= total) say({ kind: "starting" });
    };
    start(data, progress).then(
      (answers) => {
        respond = answers;
        ahead = new Ahead(answers, (error) => (error === undefined ? rest() : fail(error)));
        say({ kind: "live" });
      },
      fail,
    );
  }
});

function say(message: FromWorker): void {
  self.postMessage(message);
}

/** Hold a lock for good: its becoming free tells the page that this worker is no more. */
function hold(lock: string): void {
  void navigator.locks?.request(lock, () => {
    say({ kind: "held" });
    return new Promise(() => {});
  });
}

function answer(id: number, text: string, practice: boolean): void {
  clearTimeout(practicing);
  if (practice) ahead?.stop();
  try {
    if (!ahead) throw new Error("Python is not running");
    say({ kind: "answer", id, text: ahead.answer(text) });
    if (practice) practiced = alone(text);
    if (!ahead.isGoing) rest();
  } catch (error) {
    fail(error); // the bridge never raises: the runtime itself is broken
  }
}

/** The same question for an answer with nothing to follow it. */
function alone(text: string): string {
  const { slice_ms: _, ...question } = JSON.parse(text) as Question;
  return JSON.stringify({ ...question, asks: ["answer"] } satisfies Question);
}

function fail(error: unknown): void {
  say({ kind: "failed", reason: sentence(error) });
}

/** There is nothing to do for now. */
function rest(): void {
  if (respond && practiced !== undefined) stayInPractice(respond, practiced, performance.now() + IN_PRACTICE_FOR_MS);
}

function stayInPractice(ask: Respond, text: string, until: number): void {
  practicing = setTimeout(() => {
    const start = performance.now();
    try {
      ask(text);
    } catch (error) {
      return fail(error);
    }
    const end = performance.now();
    if (end < until && end - start < SHORT_ENOUGH_MS) stayInPractice(ask, text, until);
  }, PRACTICE_EVERY_MS);
}

/** Not everything that is thrown is an Error. A Python traceback's last line says what happened. */
function sentence(error: unknown): string {
  const text = (error as Partial<Error> | undefined)?.message ?? String(error);
  return text.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
}
