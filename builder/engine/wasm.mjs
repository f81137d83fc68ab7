// WebAssembly's own format, as far as the snapshot needs it: a module's sections taken apart and put together again.
//
// A module is a list of sections, each with a number, a length and a body; in them, numbers are LEB128 and names are
// lengths and UTF-8. Function bodies refer to functions, globals and tables by their place in the lists, so what keeps
// the lists' order need not look into them. https://webassembly.github.io/spec/core/binary/modules.html

export const [TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, CODE, DATA, DATA_COUNT, TAG] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
];
export const OF = { function: 0, table: 1, memory: 2, global: 3 };
export const I32 = 0x7f;
export const FUNCREF = 0x70;
export const [UNREACHABLE, END] = [0x00, 0x0b];
const I32_CONST = 0x41;
const HEADER = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/** Reads a body from its beginning. */
export class Reader {
  constructor(body) {
    this.body = body;
    this.place = 0;
  }
  byte() {
    return this.body[this.place++];
  }
  unsigned() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }
  signed() {
    let value = 0;
    for (let shift = 0; ; ) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      shift += 7;
      if (byte < 0x80) return shift < 32 && byte & 0x40 ? value | (-1 << shift) : value;
    }
  }
  name() {
    const length = this.unsigned();
    this.place += length;
    return new TextDecoder().decode(this.body.subarray(this.place - length, this.place));
  }
  list(read) {
    return Array.from({ length: this.unsigned() }, () => read(this));
  }
  /** The one kind of expression that the snapshot's modules begin globals and tables with. */
  constant() {
    if (this.byte() !== I32_CONST) throw new Error("this WebAssembly computes what a constant was expected for");
    const value = this.signed();
    if (this.byte() !== END) throw new Error("this WebAssembly computes what a constant was expected for");
    return value;
  }
  skip(length) {
    this.place += length;
    return this.body.subarray(this.place - length, this.place);
  }
  rest() {
    return this.body.subarray(this.place);
  }
}

export function unsigned(value) {
  const bytes = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

export function signed(value) {
  const bytes = [];
  for (; value < -0x40 || value > 0x3f; value >>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value & 0x7f];
}

export const name = (text) => [...unsigned(Buffer.byteLength(text)), ...Buffer.from(text)];
export const list = (items) => [...unsigned(items.length), ...items.flat()];
export const constant = (value) => [I32_CONST, ...signed(value), END];

/** The sections of a module in their order. */
export function sections(module) {
  if (Buffer.compare(module.subarray(0, HEADER.length), HEADER) !== 0) throw new Error("this is no WebAssembly");
  const reader = new Reader(module);
  reader.place = HEADER.length;
  const found = [];
  while (reader.place < module.length) {
    const id = reader.byte();
    const length = reader.unsigned();
    found.push({ id, body: module.subarray(reader.place, reader.place + length) });
    reader.place += length;
  }
  return found;
}

/** A module of these sections. */
export function together(parts) {
  return Buffer.concat([HEADER, ...parts.flatMap(({ id, body }) => [Uint8Array.from([id, ...unsigned(body.length)]), body])]);
}

/** Imports of a module: functions by the number of their type, and globals. */
export function imports(body) {
  return new Reader(body).list((reader) => {
    const [from, what, kind] = [reader.name(), reader.name(), reader.byte()];
    if (kind === OF.function) return { from, what, kind, type: reader.unsigned() };
    if (kind === OF.global) return { from, what, kind, type: reader.byte(), mutable: reader.byte() };
    throw new Error(`this WebAssembly imports ${from}.${what}, which is neither a function nor a global`);
  });
}

/** What a module offers, by name. */
export function exports(body) {
  const found = new Reader(body).list((reader) => [reader.name(), { kind: reader.byte(), index: reader.unsigned() }]);
  return new Map(found);
}

export function globals(body) {
  return new Reader(body).list((reader) => {
    const [type, mutable] = [reader.byte(), reader.byte()];
    return { type, mutable, value: reader.constant() };
  });
}

/** Where the table is filled from, and with which functions by number: one segment at a constant place. */
export function elements(body) {
  const segments = new Reader(body).list((reader) => {
    if (reader.byte() !== 0) throw new Error("this WebAssembly fills its tables in ways of its own");
    return { from: reader.constant(), functions: reader.list((each) => each.unsigned()) };
  });
  if (segments.length !== 1) throw new Error("this WebAssembly fills its tables in ways of its own");
  return segments[0];
}

/** What memory begins with, in order: bytes, and where they belong. */
export function data(body) {
  return new Reader(body).list((reader) => {
    if (reader.byte() !== 0) throw new Error("this WebAssembly fills its memory in ways of its own");
    return { from: reader.constant(), bytes: reader.skip(reader.unsigned()) };
  });
}

/** The bodies of a module's own functions. */
export function bodies(section) {
  return new Reader(section).list((reader) => reader.skip(reader.unsigned()));
}

/** What `bodies` takes apart. */
export function code(each) {
  const parts = each.flatMap((body) => [Uint8Array.from(unsigned(body.length)), body]);
  return Buffer.concat([Uint8Array.from(unsigned(each.length)), ...parts]);
}
