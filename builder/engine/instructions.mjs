// WebAssembly's instructions, as far as the snapshot needs them: where in a body they begin, and which functions it calls.
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
const LAST_ALONE = 0xc4;

/** Which functions a body calls by their numbers. */
export function called(body) {
  const reader = new Reader(body);
  const found = [];
  reader.place = afterLocals(body);
  while (reader.place < body.length) {
    const instruction = reader.byte();
    if (instruction === CALL || instruction === RETURN_CALL) found.push(reader.unsigned());
    else if (FOLLOWED.has(instruction)) FOLLOWED.get(instruction)(reader);
    else if (instruction > LAST_ALONE && instruction !== 0xd1) throw new Error(`unknown WebAssembly: ${instruction}`);
  }
  return found;
}
