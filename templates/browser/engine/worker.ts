/**
 * The engine's worker: Python with the calculators in it. It starts when told where its files are, then answers texts
 * with texts (calculators/bridge.py). It is a blob of the page, whose script carries this source (spawn.ts says why).
 */

import type { Question } from "../messages";
import { Ahead } from "./ahead";
import { Practice } from "./practice";
import type { FromWorker, ToWorker } from "./protocol";
import { start } from "./python";

declare const self: DedicatedWorkerGlobalScope;

let ahead: Ahead | undefined;
let practice: Practice | undefined;

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "ask") answer(data.id, data.text);
  else if (data.kind === "ping") say({ kind: "pong" });
  else {
    hold(data.lock);
    const progress = (loaded: number, total: number): void => {
      say({ kind: "progress", loaded, total });
      if (loaded >= total) say({ kind: "starting" });
    };
    start(data, progress).then(
      (answers) => {
        const practicing = new Practice(answers, fail);
        practice = practicing;
        ahead = new Ahead(answers, (error) => (error === undefined ? practicing.begin() : fail(error)));
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

function answer(id: number, text: string): void {
  const question = JSON.parse(text) as Question;
  const isAnswer = question.asks.includes("answer");
  practice?.stop();
  if (isAnswer) ahead?.stop();
  try {
    if (!ahead) throw new Error("Python is not running");
    say({ kind: "answer", id, text: ahead.answer(text, question) });
    if (isAnswer) practice?.learn(question);
    if (!ahead.isGoing) practice?.begin();
  } catch (error) {
    fail(error); // the bridge never raises: the runtime itself is broken
  }
}

function fail(error: unknown): void {
  say({ kind: "failed", reason: sentence(error) });
}

/** Not everything that is thrown is an Error. A Python traceback's last line says what happened. */
function sentence(error: unknown): string {
  const text = (error as Partial<Error> | undefined)?.message ?? String(error);
  return text.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
}
