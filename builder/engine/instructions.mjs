// WebAssembly's instructions, as far as the snapshot needs them: where in a body they begin, which functions it calls,
// and which addresses it refers to.
// https://webassembly.github.io/spec/core/binary/instructions.html

import { Reader } from "./wasm.mjs";

/** Where in a body its instructions begin. */
export function afterLocals(body) {
  const reader = new Reader(body);
  reader.list(() => [reader.unsigned(), reader.byte()]);
  return reader.place;
}

// What follows an instruction's first byte, for those that are not alone. Those of other processors' vectors and of
// threads are not in Pyodide's WebAssembly.
const number = (reader) => void reader.signed();
const numbers = (reader) => void reader.list(number);
const one = (count) => (reader) => void reader.skip(count);
const memory = (reader) => void [number(reader), number(reader)];
const caught = (reader) => void (reader.byte() < 2 ? memory(reader) : number(reader));
const FOLLOWED = new Map([
  ...[0x02, 0x03, 0x04, 0x06, 0x07, 0x08, 0x09, 0x0c, 0x0d, 0x18].map((each) => [each, number]), // blocks and branches
  ...[0x10, 0x12].map((each) => [each, number]), // calls
  [0x0e, (reader) => void [numbers(reader), number(reader)]], // a table of branches
  ...[0x11, 0x13].map((each) => [each, memory]), // a call by the table: a type and the table
  [0x1c, numbers],
  [0x1f, (reader) => void [number(reader), reader.list(caught)]],
  ...[0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26].map((each) => [each, number]), // locals, globals, tables
  ...Array.from({ length: 0x17 }, (_, place) => [0x28 + place, memory]), // loads and stores: alignment and offset
  ...[0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2].map((each) => [each, number]),
  [0x43, one(4)],
  [0x44, one(8)],
  [0xfc, (reader) => {
    const which = reader.unsigned();
    if (which >= 8) number(reader);
    if ([8, 10, 12, 14].includes(which)) number(reader);
  }],
]);
const [CALL, RETURN_CALL] = [0x10, 0x12];
const I32_CONST = 0x41;
const [FIRST_LOAD, LAST_STORE] = [0x28, 0x3e];
const LAST_ALONE = 0xc4;

/** Which functions a body calls by their numbers. */
export function called(body) {
  const found = [];
  each(body, (instruction, reader) => {
    if (instruction !== CALL && instruction !== RETURN_CALL) return false;
    found.push(reader.unsigned());
    return true;
  });
  return found;
}

/** Which numbers of a body may be addresses: its constants, and the offsets of what it loads and stores. */
export function addresses(body) {
  const found = [];
  each(body, (instruction, reader) => {
    if (instruction === I32_CONST) {
      found.push(reader.signed());
      return true;
    }
    if (instruction < FIRST_LOAD || instruction > LAST_STORE) return false;
    reader.unsigned(); // alignment
    found.push(reader.unsigned());
    return true;
  });
  return found;
}

/** Goes through a body's instructions; `read` says whether it has read what follows one. */
function each(body, read) {
  const reader = new Reader(body);
  reader.place = afterLocals(body);
  while (reader.place < body.length) {
    const instruction = reader.byte();
    if (read(instruction, reader)) continue;
    if (FOLLOWED.has(instruction)) FOLLOWED.get(instruction)(reader);
    else if (instruction > LAST_ALONE && instruction !== 0xd1) throw new Error(`unknown WebAssembly: ${instruction}`);
  }
}
