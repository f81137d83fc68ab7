// The browser's Python in Node, for the other scripts of this folder: `node SCRIPT.mjs COMMAND FOLDER`.
//
// The folder holds job.json and the job's files; it gets result.json, and what else a command makes, as made.*.
// Nothing here depends on where and when it runs: the same sources must give the same bytes.

import crypto from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , command, folder] = process.argv;
process.env.TZ = "UTC"; // Python reads the names of time zones when it starts

export const path = (name) => `${folder}/${name}`;
export const read = (name) => new Uint8Array(readFileSync(path(name)));
export const write = (name, content) => writeFileSync(path(name), content);
export const job = JSON.parse(readFileSync(path("job.json"), "utf-8"));

const here = (name) => pathToFileURL(`${job.pyodide}/${name}`).href;
const { loadPyodide } = await import(here("pyodide.mjs"));
const { default: glue } = await import(here("pyodide.asm.mjs"));
export { glue };

/** Start Python; what else it is to know goes into `settings`. */
export function started(settings) {
  return loadPyodide({
    indexURL: job.pyodide,
    packageBaseUrl: job.pyodide,
    lockFileContents: { info: job.info, packages: {} },
    _sysExecutable: "python", // else it would be the script's path
    ...settings,
    env: { PYTHONDONTWRITEBYTECODE: "1", PYTHONHASHSEED: "0", LANG: "C.UTF-8", ...settings.env },
  });
}

/** Start Python plainly, with the calculators of the job and, if the job has one, its library. */
export async function startedPlainly(settings = {}) {
  const library = job.library ? { stdLibURL: path(job.library) } : {};
  const pyodide = await started({ ...library, ...settings });
  pyodide.unpackArchive(read(job.calculators), "zip");
  return pyodide;
}

/** Send it every request of the job. */
export function answered(pyodide) {
  const respond = pyodide.pyimport("calculators.bridge").respond;
  const answers = job.questions.map((question) => respond(question));
  respond.destroy();
  return answers;
}

/**
 * From here on no clock and no chance: modules that draw seeds when they are imported (`random`, three times 2,496
 * bytes) draw zeros. Returns what ends that. In the browser chance is chance again, but for `random`'s own state;
 * the calculators use neither (tests/test_standard_library_only.py).
 */
export function leaveNothingToChance() {
  const { now } = Date;
  const precise = performance.now;
  const { randomFillSync } = crypto;
  Date.now = performance.now = () => 0;
  crypto.randomFillSync = (view) => view.fill(0);
  return () => {
    Date.now = now;
    performance.now = precise;
    crypto.randomFillSync = randomFillSync;
  };
}

/** Do what the command line says, and leave its result; what goes wrong is one line. */
export async function main(commands) {
  try {
    write("result.json", JSON.stringify((await commands[command]()) ?? null));
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${String(error?.message ?? error).trim().split("\n").at(-1)}\n`);
    process.exit(1);
  }
}
