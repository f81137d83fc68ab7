/**
 * Saves a state as a spreadsheet. Its formulas are translated from the source of the calculator's, which the snapshot of
 * Python does not have: a second Python starts plainly, answers and ends.
 */

import type { Engine } from "../engine/engine";
import type { Question } from "../messages";
import { save } from "../records/files";
import type { Announcer } from "./answer/announcer";
import { Slices } from "./slices";

const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const TAKES_MS = 120_000; // at most: Python starts for it

/** Save it as `file`, and announce that. `isWanted` is false once the state has changed or the page was left. */
export async function saveSpreadsheet(
  file: string,
  engine: Engine,
  question: Question,
  isWanted: () => boolean,
  announcer: Announcer,
): Promise<undefined> {
  announcer.notify("Preparing the spreadsheet", TAKES_MS);
  announcer.notify(await outcome(file, engine, question, isWanted));
}

async function outcome(file: string, engine: Engine, question: Question, isWanted: () => boolean): Promise<string> {
  const plain = engine.plainly();
  const failed = new Promise<undefined>((settle) => {
    plain.addEventListener("change", () => plain.state === "failed" && settle(undefined));
  });
  try {
    const asked = new Slices((each) => plain.ask(plain, each)).whole(question, isWanted);
    const answer = await Promise.race([asked, failed]);
    if (!isWanted()) return "No spreadsheet: the inputs have changed since";
    if (!answer) return `No spreadsheet: ${plain.reason}`;
    if (!answer.spreadsheet) return `No spreadsheet: ${answer.failure ?? "an input is invalid"}`;
    save(file, Uint8Array.from(atob(answer.spreadsheet), (byte) => byte.charCodeAt(0)), TYPE);
    return `${file} saved`;
  } finally {
    plain.end();
  }
}
