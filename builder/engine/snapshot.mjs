// The snapshot, made and tried in Node: `node snapshot.mjs make|ask FOLDER`.
//
// `make` starts Pyodide's WebAssembly with its own glue, but Python without Pyodide's Python layer, imports the
// calculators, sends them the job's requests so that nothing is left to be imported or computed for the first time, and
// stores the state at that point: all pages of memory that are not zero (made.image), and the WebAssembly as it
// is now (made.wasm), of its functions and constants those that answers reach, which a second lot of questions shows
// (`warmup`). What the glue put in at the start, addresses and table entries, is constant in it; its data is in the
// image; it offers what a request needs and no more. `ask` starts that with the browser's own program, templates/
// browser/engine/snapshot.ts, and writes the answers it gets. Python (snapshot.py) compares them with its own.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

import esbuild from "esbuild";

import { left, responder, run, startedBarely } from "./bare.mjs";
import { zeroUnreached } from "./constants.mjs";
import { CLEAR, LIGHTEN, zeroFree, zeroUnread } from "./leftovers.mjs";
import { Functions, place, WARMUP, slots, TYPES } from "./reached.mjs";
import { job, leaveNothingToChance, main, path, read, write } from "./runtime.mjs";
import * as wasm from "./wasm.mjs";

/** What a browser calls; templates/browser/engine/snapshot.ts. */
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
const OF_THE_SNAPSHOT = "snapshot: ";
const MUTABLE = `${OF_THE_SNAPSHOT}global `;
const RAN = `${OF_THE_SNAPSHOT}ran `;

/** Everything that Pyodide's module begins with, taken apart. */
function parts(module) {
  const all = wasm.sections(module).filter(({ id }) => id !== 0);
  if (all.some(({ id }) => id === wasm.START)) throw new Error("this WebAssembly runs something by itself");
  const bodies = new Map(all.map(({ id, body }) => [id, body]));
  const wanted = wasm.imports(bodies.get(wasm.IMPORT));
  const asked = wanted.filter(({ kind }) => kind === wasm.OF.function);
  return {
    bodies,
    order: all.map(({ id }) => id),
    asked,
    functions: new Functions(bodies.get(wasm.CODE), asked.length),
    lent: wanted.filter(({ kind }) => kind === wasm.OF.global),
    globals: wasm.globals(bodies.get(wasm.GLOBAL)),
    offered: wasm.exports(bodies.get(wasm.EXPORT)),
    elements: wasm.elements(bodies.get(wasm.ELEMENT)),
  };
}

/** The number of the first of the globals in which functions note that they ran. */
const firstNote = ({ lent, globals }) => lent.length + globals.length;

/** The same module, but one whose mutable globals can be read from outside, and whose functions note that they ran. */
function legible(module, { globals, lent, functions }) {
  const first = firstNote({ lent, globals });
  const seen = globals.flatMap(({ mutable }, place) => (mutable ? [[MUTABLE, lent.length + place]] : []));
  const notes = functions.bodies.map((_, place) => [RAN, first + place]);
  const offered = [...seen, ...notes].map(([what, index]) => [
    ...wasm.name(what + index), wasm.OF.global, ...wasm.unsigned(index),
  ]);
  const more = (body, items) => {
    const reader = new wasm.Reader(body);
    const count = reader.unsigned() + items.length;
    return Buffer.concat([Buffer.from(wasm.unsigned(count)), reader.rest(), Buffer.from(items.flat())]);
  };
  const replaced = {
    [wasm.EXPORT]: (body) => more(body, offered),
    [wasm.GLOBAL]: (body) => more(body, notes.map(() => [wasm.I32, 1, ...wasm.constant(0)])),
    [wasm.CODE]: () => functions.noting(first),
  };
  return wasm.together(wasm.sections(module).map(({ id, body }) => ({ id, body: replaced[id]?.(body) ?? body })));
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
  // The others are JavaScript's own (graphics, most of them): a snapshot has none, and a call ends with an error.
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

/** The module in the state of the stored memory, that memory being the host's; functions that are not reached do nothing. */
function rebuilt(instance, given, known, started, reached) {
  const { bodies, order, asked, functions, lent, globals, offered, elements } = known;
  const extra = added(instance, known);
  const tables = new wasm.Reader(bodies.get(wasm.TABLE)).list((reader) => [reader.byte(), reader.byte(), reader.unsigned()]);
  const [[kind, hasMost], ...others] = tables;
  if (kind !== wasm.FUNCREF || hasMost || others.some(([, most]) => most)) throw new Error("its tables have another form");
  const fill = ([from, run]) => [0, ...wasm.constant(from), ...wasm.list(run.map((each) => wasm.unsigned(each)))];
  const segments = [[elements.from, elements.functions], ...runs(extra, elements.from + elements.functions.length)];
  const memory = [wasm.OF.memory, 1, ...wasm.unsigned(started.memory.length / WASM_PAGE), ...wasm.unsigned(MOST_PAGES)];
  const imported = asked.map(({ from, what, type }) => [
    ...wasm.name(from), ...wasm.name(what), wasm.OF.function, ...wasm.unsigned(type),
  ]);
  const replaced = {
    [wasm.IMPORT]: wasm.list([...imported, [...wasm.name(FROM_THE_HOST.from), ...wasm.name(FROM_THE_HOST.what), ...memory]]),
    [wasm.TABLE]: wasm.list([[kind, 0, ...wasm.unsigned(instance.exports.__indirect_function_table.length)], ...others.map(([type, , least]) => [type, 0, ...wasm.unsigned(least)])]),
    [wasm.GLOBAL]: wasm.list([
      ...lent.map(({ from, what, type, mutable }) => [type, mutable, ...wasm.constant(given[from][what].value)]),
      ...globals.map((global, place) => [global.type, global.mutable, ...wasm.constant(started.globals[place])]),
    ]),
    [wasm.EXPORT]: wasm.list(OFFERED.map((what) => [...wasm.name(what), offered.get(what).kind, ...wasm.unsigned(offered.get(what).index)])),
    [wasm.ELEMENT]: wasm.list(segments.map(fill)),
    [wasm.CODE]: functions.reduced(reached),
  };
  const left = order.filter((id) => ![wasm.MEMORY, wasm.DATA, wasm.DATA_COUNT].includes(id));
  return wasm.together(left.map((id) => ({ id, body: replaced[id] ? Buffer.from(replaced[id]) : bodies.get(id) })));
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
  const { python, instance, given } = await startedBarely(legible(original, known), OF_THE_SNAPSHOT);
  run(python, LIGHTEN);
  const { respond, size, ask } = responder(python);
  job.questions.forEach(ask);
  run(python, CLEAR);
  zeroFree(python);
  zeroUnread(python);
  const started = startedFrom(instance, python.HEAPU8, known);

  const notes = known.functions.bodies.map((_, place) => instance.exports[RAN + (firstNote(known) + place)]);
  run(python, WARMUP);
  const warmup = left(python, "warmup");
  for (const note of notes) note.value = 0;
  job.warmup.forEach(ask);
  warmup();
  const ran = notes.flatMap(({ value }, place) => (value ? [known.asked.length + place] : []));
  const called = OFFERED.map((what) => known.offered.get(what)).filter(({ kind }) => kind === wasm.OF.function);
  const numbers = [...called.map(({ index }) => index), ...ran, ...ofPython(python, instance)];
  const reached = known.functions.reachedFrom(numbers);
  zeroUnreached(started.memory, known, reached, python._emscripten_stack_get_end());
  const ranges = filled(started.memory);
  write("made.image", Buffer.concat(ranges.map(([from, to]) => started.memory.subarray(from, to))));
  write("made.wasm", rebuilt(instance, given, known, started, reached));
  return { length: started.memory.length, ranges, respond, size };
}

/** The numbers of all functions that Python's types and its functions written in C are made of. */
function ofPython(python, instance) {
  run(python, TYPES);
  const main = python._PyImport_AddModule(python.stringToNewUTF8("__main__"));
  const listed = (name) => {
    const bytes = python._PyObject_GetAttrString(main, python.stringToNewUTF8(name));
    const from = python._PyBytes_AsString(bytes) >>> 2;
    return [...python.HEAPU32.subarray(from, from + (python._PyBytes_Size(bytes) >>> 2))];
  };
  const table = instance.exports.__indirect_function_table;
  const places = new Set(listed("types").flatMap((type) => slots(python.HEAPU32, type)));
  for (const each of listed("functions")) places.add(place(python.HEAPU32, each));
  return [...places].filter((each) => each < table.length).flatMap((each) => Number(table.get(each)?.name || NaN) || []);
}

/** What there is to take along: memory, and the globals by their places (`now` for those that change). */
function startedFrom(instance, memory, { lent, globals }) {
  const now = ({ mutable, value }, place) =>
    mutable ? instance.exports[MUTABLE + (lent.length + place)].value : value;
  return { memory: memory.slice(), globals: globals.map(now) };
}

async function ask() {
  const outfile = path("host.mjs");
  await esbuild.build({ entryPoints: [job.host], outfile, bundle: true, format: "esm", logLevel: "silent" });
  const { Snapshot } = await import(pathToFileURL(outfile).href);
  const snapshot = new Snapshot(job.of);
  const compiled = WebAssembly.compile(read("wasm"));
  await snapshot.fill(new Response(read("image")).body);
  const respond = await snapshot.run(await compiled);
  return job.questions.map(respond);
}

await main({ make, ask });
