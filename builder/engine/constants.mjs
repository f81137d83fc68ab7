// Which of a module's constants answers reach. Tables that only other functions read, such as the maps of East Asian
// codecs and the names of characters, are 10 % of the packed image; some stay, which other numbers seem to refer to.
//
// A linker leaves no list of constants, only the addresses by which functions and data refer to them. So a table is what
// begins at such an address and ends where another begins. It is kept if a reached function refers to it, Python's heap,
// or data that is itself kept; and so is what is near. Constants hold no addresses: those with addresses lie behind
// them, among the data that may change.

import { addresses } from "./instructions.mjs";
import * as wasm from "./wasm.mjs";

const WORD = 4; // bytes
const ALIGNED = 16; // large tables begin at multiples of this; most numbers that only look like addresses are none
const NEAR = 4096; // bytes around an address that are kept: compilers add to the address of a table, or take from it

/** Fill with zeros the constants that are not reached: those below the first byte that has changed. */
export function zeroUnreached(memory, { bodies, functions }, reached, endOfData) {
  const words = new Uint32Array(memory.buffer, memory.byteOffset, memory.length / WORD);
  const [first, changed] = changes(memory, wasm.data(bodies.get(wasm.DATA)), endOfData);
  const endOfConstants = changed[0] - (changed[0] % WORD);
  const isOfData = (address) => address >= first && address < endOfData;
  const known = new Uint8Array(endOfData); // 1 where functions or data refer to
  const found = new Set(changed);
  functions.bodies.forEach((body, place) => {
    for (const address of addresses(body).filter(isOfData)) {
      known[address] = 1;
      if (reached.has(place + functions.imported)) found.add(address);
    }
  });
  for (const word of words.subarray(endOfConstants / WORD, endOfData / WORD)) if (isOfData(word)) known[word] = 1;
  for (const word of words.subarray(endOfData / WORD)) if (isOfData(word) && known[word]) found.add(word);

  const [kept, near] = [new Uint8Array(endOfData), new Uint8Array(endOfData)];
  // Iterating over a set includes what is added meanwhile.
  for (const address of found) {
    near.fill(1, Math.max(address - NEAR, first), address);
    let next = Math.ceil((address + NEAR) / ALIGNED) * ALIGNED;
    while (next < endOfData && !known[next]) next += ALIGNED;
    next = Math.min(next, endOfData);
    let place = address - (address % WORD);
    while ((place = kept.indexOf(0, place)) !== -1 && place < next) {
      kept.fill(1, place, place + WORD);
      if (place >= endOfConstants && isOfData(words[place / WORD])) found.add(words[place / WORD]);
    }
  }
  for (let place = first; place < endOfConstants; place += 1) if (!kept[place] && !near[place]) memory[place] = 0;
}

/** Where data begins, and the places at which it is neither as the module has it nor zero. */
function changes(memory, data, end) {
  const before = new Uint8Array(end);
  for (const { from, bytes } of data) before.set(bytes, from);
  const changed = [];
  before.forEach((byte, place) => {
    if (memory[place] !== byte && memory[place] !== 0) changed.push(place);
  });
  return [data[0].from, changed];
}
