// Python's memory with the calculators in it, made and tried in Node: `node snapshot.mjs make|ask FOLDER`.
//
// `make` starts Pyodide as it is, imports the calculators, asks them every question of the job so that nothing is left
// to be imported or computed for the first time, and writes what differs from the memory with which the WebAssembly
// begins anyway. `ask` starts from that, as templates/browser/engine/snapshot.ts does, and writes the answers it gets. Python
// (snapshot.py) writes the jobs, packs the result and compares the answers with its own.

import { answered, glue, job, leaveNothingToChance, main, path, read, started, startedPlainly, write } from "./runtime.mjs";

// What only the import of further modules needs, and there is nothing to import any more.
const CLEAR = `
import gc, linecache, sys, zipimport
linecache.clearcache()
zipimport._zip_directory_cache.clear()
sys.path_importer_cache.clear()
gc.collect()
`;

const BLOCK = 1024;
const LEAST = 256 * BLOCK;
const [LARGEST, SMALLEST] = [1024 * BLOCK, 8]; // bytes, of what is asked of `malloc`
const EMPTY_ZIP = Uint8Array.of(0x50, 0x4b, 0x05, 0x06, ...new Array(18).fill(0));

/**
 * Fill free memory with zeros: take all there is, in ever smaller blocks, and give it back. What was there would travel
 * with the snapshot, chance included. Memory must not grow meanwhile: Python's end of it is put at the very end, and
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

/** Start from a snapshot; `begun` sees the memory whose place it is about to take. */
function restored(snapshot, begun) {
  write("empty.zip", EMPTY_ZIP);
  const size = memoryOf(snapshot).length;
  return started({
    _loadSnapshot: snapshot,
    stdLibURL: path("empty.zip"),
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
  const letThingsHappen = leaveNothingToChance();
  const pyodide = await startedPlainly({ _makeSnapshot: true });
  answered(pyodide);
  pyodide.runPython(CLEAR);
  zeroFree(pyodide._module);
  const snapshot = pyodide.makeMemorySnapshot();

  letThingsHappen();
  const beginnings = [];
  for (let time = 0; time < 3; time++) await restored(snapshot, (memory) => beginnings.push(memory.slice()));
  const ranges = constantRanges(beginnings);
  const sum = exclusiveOr(memoryOf(snapshot), beginnings[0], ranges);
  const used = snapshot.findLastIndex((byte) => byte !== 0) + 1;
  write("made.memory", snapshot.subarray(0, used));
  return { length: snapshot.length, ranges, sum };
}

async function ask() {
  const { length, ranges, sum } = job.of;
  const snapshot = new Uint8Array(length);
  snapshot.set(read("memory"));
  const pyodide = await restored(snapshot, (memory) => {
    const found = exclusiveOr(memoryOf(snapshot), memory, ranges);
    if (found !== sum) throw new Error("the WebAssembly begins with another memory");
  });
  return answered(pyodide);
}

await main({ make, ask });
