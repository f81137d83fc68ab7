/**
 * The engine's worker: Python with the calculators. It starts with the addresses of its files, then answers texts with
 * texts (calculators/bridge.py). It is made from a blob; the page's script carries this source (spawn.ts says why).
 */

import type { Question } from "../messages";
import { Prefetch } from "./prefetch";
import { Warmup } from "./warmup";
import type { FromWorker, ToWorker } from "./protocol";
import { start } from "./python";

declare const self: DedicatedWorkerGlobalScope;

let prefetch: Prefetch | undefined;
let warmup: Warmup | undefined;

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "ask") answer(data.id, data.text);
  else if (data.kind === "ping") post({ kind: "pong" });
  else {
    hold(data.lock);
    const progress = (loaded: number, total: number): void => {
      post({ kind: "progress", loaded, total });
      if (loaded >= total) post({ kind: "starting" });
    };
    start(data, progress).then(
      (respond) => {
        const started = new Warmup(respond, fail);
        warmup = started;
        prefetch = new Prefetch(respond, (error) => (error === undefined ? started.begin() : fail(error)));
        post({ kind: "live" });
      },
      fail,
    );
  }
});

function post(message: FromWorker): void {
  self.postMessage(message);
}

/** Hold a lock as long as the worker lives: the page learns from its release that the worker died. */
function hold(lock: string): void {
  void navigator.locks?.request(lock, () => {
    post({ kind: "held" });
    return new Promise(() => {});
  });
}

function answer(id: number, text: string): void {
  const question = JSON.parse(text) as Question;
  const isAnswer = question.asks.includes("answer");
  warmup?.stop();
  if (isAnswer) prefetch?.stop();
  try {
    if (!prefetch) throw new Error("Python is not running");
    const found = prefetch.answer(text, question);
    post({ kind: "answer", id, text: found });
    // A link is not read again: a system that it comes from would be searched for in one piece.
    if (isAnswer && question.fragment === undefined) warmup?.learn(question);
    if (!prefetch.isActive) warmup?.begin();
  } catch (error) {
    fail(error); // the bridge never raises: the runtime itself is broken
  }
}

function fail(error: unknown): void {
  post({ kind: "failed", reason: sentence(error) });
}

/** Not everything that is thrown is an Error. A Python traceback's last line says what happened. */
function sentence(error: unknown): string {
  const text = (error as Partial<Error> | undefined)?.message ?? String(error);
  return text.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
}
