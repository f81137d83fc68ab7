// The machine, made and tried in Node: `node machine.mjs make|ask FOLDER`.
//
// `make` starts Pyodide's WebAssembly with its own glue, but Python without Pyodide's Python layer, imports the
// calculators, asks them the job's questions so that nothing is left to be imported or computed for the first time, and
// takes down what stands then: all pages of memory that are not zero (made.image), and the WebAssembly as it
// is now (made.wasm). What the glue put in at the start, addresses and table entries, is constant in it; its data is in
// the image; it offers what a question needs and no more. `ask` starts that with the browser's own program, templates/
// browser/engine/machine.ts, and writes the answers it gets. Python (machine.py) compares them with its own.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

import esbuild from "esbuild";

import { responder, run, startedBarely } from "./bare.mjs";
import { job, leaveNothingToChance, main, path, read, write } from "./runtime.mjs";
import * as wasm from "./wasm.mjs";

/** What a browser calls; templates/browser/engine/machine.ts. */
const OFFERED = [
  "__indirect_function_table",
  "malloc",
  "free",
  "PyUnicode_FromStringAndSize",
  "PyObject_CallOneArg",
  "PyUnicode_AsUTF8AndSize",
  "Py_DecRef",
];
const FROM_THE_HOST = { from: "env", what: "memory" };
const WASM_PAGE = 64 * 1024;
const MOST_PAGES = 65_536;
const PAGE = 4096;
const MUTABLE = "mutable ";
const [LARGEST, SMALLEST] = [1024 * 1024, 8]; // bytes, of what is asked of `malloc`

// What only the import of further modules needs, and there is nothing to import any more; and what was written for the
// questions asked so far. What is left stays, so the garbage collector need not look at it ever again.
const CLEAR = `
import functools, gc, linecache, sys, zipimport
linecache.clearcache()
zipimport._zip_directory_cache.clear()
sys.path_importer_cache.clear()
for found in gc.get_objects():
    if type(found) is functools._lru_cache_wrapper and found.cache_parameters()["maxsize"] is not None:
        found.cache_clear()
del found
gc.collect()
gc.freeze()
`;

/** Everything that Pyodide's module begins with, taken apart. */
function parts(module) {
  const all = wasm.sections(module).filter(({ id }) => id !== 0);
  if (all.some(({ id }) => id === wasm.START)) throw new Error("this WebAssembly runs something by itself");
  const bodies = new Map(all.map(({ id, body }) => [id, body]));
  const wanted = wasm.imports(bodies.get(wasm.IMPORT));
  return {
    bodies,
    order: all.map(({ id }) => id),
    functions: wanted.filter(({ kind }) => kind === wasm.OF.function),
    lent: wanted.filter(({ kind }) => kind === wasm.OF.global),
    globals: wasm.globals(bodies.get(wasm.GLOBAL)),
    offered: wasm.exports(bodies.get(wasm.EXPORT)),
    elements: wasm.elements(bodies.get(wasm.ELEMENT)),
  };
}

/** The same module, but one whose mutable globals can be read from outside. */
function legible(module, { globals, lent }) {
  const extra = globals.flatMap(({ mutable }, place) => {
    const index = lent.length + place;
    return mutable ? [[...wasm.name(MUTABLE + index), wasm.OF.global, ...wasm.unsigned(index)]] : [];
  });
  const withThem = (body) => {
    const reader = new wasm.Reader(body);
    const count = reader.unsigned() + extra.length;
    return Buffer.concat([Buffer.from(wasm.unsigned(count)), reader.rest(), Buffer.from(extra.flat())]);
  };
  const all = wasm.sections(module);
  return wasm.together(all.map(({ id, body }) => ({ id, body: id === wasm.EXPORT ? withThem(body) : body })));
}

/**
 * Fill free memory with zeros: take all there is, in ever smaller blocks, and give it back. What was there would travel
 * with the image, chance included. Memory must not grow meanwhile: Python's end of it is put at the very end, and
 * WebAssembly refuses more.
 */
function zeroFree({ _malloc, _free, HEAPU8, HEAPU32, _emscripten_get_sbrk_ptr }) {
  const place = _emscripten_get_sbrk_ptr() >>> 2;
  const end = HEAPU32[place];
  const { grow } = WebAssembly.Memory.prototype;
  HEAPU32[place] = HEAPU8.length;
  WebAssembly.Memory.prototype.grow = () => {
    throw new RangeError("no more");
  };
  const held = [];
  for (let size = LARGEST; size >= SMALLEST; size /= 2) {
    for (let block = _malloc(size); block !== 0; block = _malloc(size)) {
      const usable = (HEAPU32[(block - 4) >>> 2] & ~7) - 4; // dlmalloc rounds up, and says so before the block
      HEAPU8.fill(0, block, block + usable);
      held.push(block);
    }
  }
  for (const block of held.sort((one, other) => one - other)) _free(block);
  WebAssembly.Memory.prototype.grow = grow;
  HEAPU32[place] = end;
}

/** What the glue has put into the table behind the module's own functions: functions by number, null where none is. */
function added(instance, { elements: { from, functions } }) {
  const table = instance.exports.__indirect_function_table;
  const number = new Map();
  for (const offered of Object.values(instance.exports)) {
    if (typeof offered === "function") number.set(offered, Number(offered.name)); // that is what its name is
  }
  const found = Array.from({ length: table.length }, (_, place) => table.get(place));
  const isAsBuilt = functions.every((index, place) => found[from + place]?.name === String(index));
  if (!isAsBuilt || found.slice(0, from).some(Boolean)) throw new Error("the table is not what the module says");
  // The others are JavaScript's own (graphics, most of them): a machine has none, and a call ends with an error.
  return found.slice(from + functions.length).map((entry) => number.get(entry) ?? null);
}

/** Runs of numbers without the gaps between them: where each begins, and what it is. */
function runs(entries, start) {
  const found = [];
  entries.forEach((entry, place) => {
    if (entry === null) return;
    if (place > 0 && entries[place - 1] !== null) found.at(-1)[1].push(entry);
    else found.push([start + place, [entry]]);
  });
  return found;
}

/** The module as it stands now, its memory the host's. */
function rebuilt(instance, given, known, memorySize) {
  const { bodies, order, functions, lent, globals, offered, elements } = known;
  const now = ({ mutable, value }, place) =>
    mutable ? instance.exports[MUTABLE + (lent.length + place)].value : value;
  const extra = added(instance, known);
  const tables = new wasm.Reader(bodies.get(wasm.TABLE)).list((reader) => [reader.byte(), reader.byte(), reader.unsigned()]);
  const [[kind, hasMost], ...others] = tables;
  if (kind !== wasm.FUNCREF || hasMost || others.some(([, most]) => most)) throw new Error("its tables have another form");
  const fill = ([from, run]) => [0, ...wasm.constant(from), ...wasm.list(run.map(wasm.unsigned))];
  const segments = [[elements.from, elements.functions], ...runs(extra, elements.from + elements.functions.length)];
  const memory = [wasm.OF.memory, 1, ...wasm.unsigned(memorySize / WASM_PAGE), ...wasm.unsigned(MOST_PAGES)];
  const imported = functions.map(({ from, what, type }) => [
    ...wasm.name(from), ...wasm.name(what), wasm.OF.function, ...wasm.unsigned(type),
  ]);
  const anew = {
    [wasm.IMPORT]: wasm.list([...imported, [...wasm.name(FROM_THE_HOST.from), ...wasm.name(FROM_THE_HOST.what), ...memory]]),
    [wasm.TABLE]: wasm.list([[kind, 0, ...wasm.unsigned(instance.exports.__indirect_function_table.length)], ...others.map(([type, , least]) => [type, 0, ...wasm.unsigned(least)])]),
    [wasm.GLOBAL]: wasm.list([
      ...lent.map(({ from, what, type, mutable }) => [type, mutable, ...wasm.constant(given[from][what].value)]),
      ...globals.map((global, place) => [global.type, global.mutable, ...wasm.constant(now(global, place))]),
    ]),
    [wasm.EXPORT]: wasm.list(OFFERED.map((what) => [...wasm.name(what), offered.get(what).kind, ...wasm.unsigned(offered.get(what).index)])),
    [wasm.ELEMENT]: wasm.list(segments.map(fill)),
  };
  const left = order.filter((id) => ![wasm.MEMORY, wasm.DATA, wasm.DATA_COUNT].includes(id));
  return wasm.together(left.map((id) => ({ id, body: anew[id] ? Buffer.from(anew[id]) : bodies.get(id) })));
}

/** Where memory is not zero, in whole pages: [from, to] in bytes; a short gap is cheaper than another range. */
function filled(memory) {
  const ranges = [];
  for (let from = 0; from < memory.length; from += PAGE) {
    if (memory.subarray(from, from + PAGE).every((byte) => byte === 0)) continue;
    if (from - (ranges.at(-1)?.[1] ?? -Infinity) <= 4 * PAGE) ranges.at(-1)[1] = from + PAGE;
    else ranges.push([from, from + PAGE]);
  }
  return ranges;
}

async function make() {
  leaveNothingToChance();
  const original = readFileSync(`${job.pyodide}/pyodide.asm.wasm`);
  const known = parts(original);
  const { python, instance, given } = await startedBarely(legible(original, known), MUTABLE);
  const { respond, size, ask } = responder(python);
  job.questions.forEach(ask);
  run(python, CLEAR);
  zeroFree(python);
  const { HEAPU8: memory } = python;
  memory.fill(0, python._emscripten_stack_get_end(), python._emscripten_stack_get_current()); // what calls left there
  const ranges = filled(memory);
  write("made.wasm", rebuilt(instance, given, known, memory.length));
  write("made.image", Buffer.concat(ranges.map(([from, to]) => memory.subarray(from, to))));
  return { length: memory.length, ranges, respond, size };
}

async function ask() {
  const outfile = path("host.mjs");
  await esbuild.build({ entryPoints: [job.host], outfile, bundle: true, format: "esm", logLevel: "silent" });
  const { Machine } = await import(pathToFileURL(outfile).href);
  const machine = new Machine(job.of);
  const compiled = WebAssembly.compile(read("wasm"));
  await machine.fill(new Response(read("image")).body);
  const respond = await machine.run(await compiled);
  return job.questions.map(respond);
}

await main({ make, ask });
