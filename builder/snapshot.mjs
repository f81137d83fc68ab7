// Python's memory with the calculators in it, made and tried in Node: `node snapshot.mjs make|ask JOB.json`.
//
// `make` starts Pyodide as it is, imports the calculators, asks them every question of the job so that nothing is left
// to be imported or computed for the first time, and writes what differs from the memory with which the WebAssembly
// begins anyway. `ask` starts from that, as templates/browser/snapshot.ts does, and writes the answers it gets. Python
// (snapshot.py) writes the jobs, packs the result and compares the answers with its own.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const WARM_UP = `
def ask_everything(questions):
    import calculators.bridge, json
    for question in json.loads(questions):
        calculators.bridge.respond(question)
`;
// What only the import of further modules needs, and there is nothing to import any more.
const CLEAR = `
import gc, linecache, random, sys, tempfile, zipimport
del ask_everything
linecache.clearcache()
zipimport._zip_directory_cache.clear()
sys.path_importer_cache.clear()
random.seed(0)
tempfile._name_sequence = None  # it holds chance
gc.collect()
`;
// Memory that Python keeps for small objects: taken, which fills it with zeros, and dropped again.
const SWEEP = `
def sweep():
    held = [[bytes(size) for _ in range(60)] for size in range(0, 512, 8)]
for _ in range(3): sweep()
del sweep
gc.collect()
`;

const BLOCK = 1024;
const LEAST = 256 * BLOCK;

const [, , command, jobFile] = process.argv;
const job = JSON.parse(readFileSync(jobFile, "utf-8"));
const here = (name) => pathToFileURL(job.pyodide + "/" + name).href;
const { loadPyodide } = await import(here("pyodide.mjs"));
const { default: glue } = await import(here("pyodide.asm.mjs"));
const options = {
  indexURL: job.pyodide,
  packageBaseUrl: job.pyodide,
  lockFileContents: { info: job.info, packages: {} },
  env: { PYTHONDONTWRITEBYTECODE: "1", PYTHONHASHSEED: "0" },
  _sysExecutable: "python", // else it would be this file's path
};

/** The same memory every time: no clock while it is made. Returns what lets the clock go on. */
function stopTheClock() {
  const { now } = Date;
  const precise = performance.now;
  Date.now = performance.now = () => 0;
  return () => {
    Date.now = now;
    performance.now = precise;
  };
}

/** Fill free memory with zeros, block by block, as long as that needs no more memory. */
function zeroFree({ _malloc, _free, HEAPU8, HEAPU32, _emscripten_get_sbrk_ptr }) {
  const top = () => HEAPU32[_emscripten_get_sbrk_ptr() >>> 2];
  const before = top();
  const held = [];
  for (let size = 1 << 20; size >= 32; size >>= 1) {
    for (;;) {
      const block = _malloc(size);
      if (block === 0) break;
      held.push(block);
      if (top() > before || block + size > HEAPU8.length) break;
      HEAPU8.fill(0, block, block + size);
    }
  }
  for (const block of held) _free(block);
}

/** Start from a snapshot; `begun` sees the memory whose place it is about to take. */
function restored(snapshot, begun) {
  const size = memoryOf(snapshot).length;
  return loadPyodide({
    ...options,
    _loadSnapshot: snapshot,
    stdLibURL: job.empty,
    createPyodideModule: async (settings) => {
      const module = await glue(settings);
      if (module.HEAPU8.length < size) module.growMemory(size);
      begun(module.HEAPU8);
      return module;
    },
  });
}

/** The memory after its header. */
function memoryOf(snapshot) {
  return snapshot.subarray(new Uint32Array(snapshot.buffer, 0, 2)[1]);
}

/** Where memory begins the same every time and not as zeros, in whole blocks: [from, to] in bytes. */
function constantRanges([first, ...others]) {
  const ranges = [];
  for (let from = 0; from < first.length; from += BLOCK) {
    const block = first.subarray(from, from + BLOCK);
    const changes = others.some((other) => Buffer.compare(block, other.subarray(from, from + BLOCK)) !== 0);
    if (changes || block.every((byte) => byte === 0)) continue;
    if (ranges.at(-1)?.[1] === from) ranges.at(-1)[1] += BLOCK;
    else ranges.push([from, from + BLOCK]);
  }
  return ranges.filter(([from, to]) => to - from >= LEAST); // the short ones may differ from host to host
}

/** Exclusive or with the memory at the beginning: what is equal becomes zero, and doing it again brings it back. */
function exclusiveOr(memory, beginning, ranges) {
  let sum = 0;
  for (const [from, to] of ranges) {
    const words = (bytes) => new Uint32Array(bytes.buffer, bytes.byteOffset + from, (to - from) / 4);
    const target = words(memory);
    const source = words(beginning);
    for (let place = 0; place < target.length; place++) {
      target[place] ^= source[place];
      sum = (Math.imul(sum, 31) + source[place]) | 0;
    }
  }
  return sum;
}

async function make() {
  const letItGoOn = stopTheClock();
  const pyodide = await loadPyodide({ ...options, _makeSnapshot: true });
  pyodide.unpackArchive(new Uint8Array(readFileSync(job.archive)), "zip");
  pyodide.runPython(WARM_UP);
  const ask = pyodide.globals.get("ask_everything");
  ask(JSON.stringify(job.questions));
  ask.destroy();
  pyodide.runPython(CLEAR);
  pyodide.runPython(SWEEP);
  zeroFree(pyodide._module);
  const snapshot = pyodide.makeMemorySnapshot();

  letItGoOn();
  const beginnings = [];
  for (let time = 0; time < 3; time++) await restored(snapshot, (memory) => beginnings.push(memory.slice()));
  const ranges = constantRanges(beginnings);
  const sum = exclusiveOr(memoryOf(snapshot), beginnings[0], ranges);
  const used = snapshot.findLastIndex((byte) => byte !== 0) + 1;
  writeFileSync(job.memory, snapshot.subarray(0, used));
  return { length: snapshot.length, ranges, sum };
}

async function ask() {
  const { length, ranges, sum } = job.of;
  const snapshot = new Uint8Array(length);
  snapshot.set(readFileSync(job.memory));
  const pyodide = await restored(snapshot, (memory) => {
    const found = exclusiveOr(memoryOf(snapshot), memory, ranges);
    if (found !== sum) throw new Error("the WebAssembly begins with another memory");
  });
  const respond = pyodide.pyimport("calculators.bridge").respond;
  return job.questions.map((question) => respond(question));
}

try {
  writeFileSync(job.result, JSON.stringify(await (command === "make" ? make() : ask())));
  process.exit(0);
} catch (error) {
  process.stderr.write(`${String(error?.message ?? error).trim().split("\n").at(-1)}\n`);
  process.exit(1);
}
