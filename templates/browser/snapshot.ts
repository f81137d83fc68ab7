/** Python's memory as builder/snapshot.py packed it, made into what Pyodide restores. */

import type { MemoryInfo } from "./messages";

/** What Pyodide's own program gives: a function that makes the machine that WebAssembly and JavaScript are together. */
export type Glue = (settings: object) => Promise<Machine>;

interface Machine {
  readonly HEAPU8: Uint8Array<ArrayBuffer>;
  growMemory(size: number): void;
}

/** Read the unpacked file into one piece of memory of its full length; the zeros at its end did not travel. */
export async function read(response: Response, { length }: MemoryInfo): Promise<Uint8Array<ArrayBuffer>> {
  const snapshot = new Uint8Array(length);
  const reader = response.body?.getReader();
  let place = 0;
  for (;;) {
    const piece = await reader?.read();
    if (!piece?.value) return snapshot;
    snapshot.set(piece.value, place); // throws where there is more than there should be
    place += piece.value.length;
  }
}

/**
 * Pyodide's program, which moreover completes the snapshot: the file leaves out what the WebAssembly begins with anyway
 * (exclusive or: equal words became zeros). If it begins otherwise here, this throws.
 */
export function completing(glue: Glue, snapshot: Promise<Uint8Array<ArrayBuffer>>, info: MemoryInfo): Glue {
  return async (settings) => {
    const machine = await glue(settings);
    const { buffer } = await snapshot;
    const start = new Uint32Array(buffer, 0, 2)[1] ?? 0; // behind Pyodide's header
    const size = buffer.byteLength - start;
    if (machine.HEAPU8.length < size) machine.growMemory(size);
    const memory = new Uint32Array(buffer, start);
    const beginning = new Uint32Array(machine.HEAPU8.buffer);
    let sum = 0;
    for (const [from, to] of info.ranges) {
      for (let word = from / 4; word < to / 4; word++) {
        const begins = beginning[word] as number;
        memory[word] = (memory[word] as number) ^ begins;
        sum = (Math.imul(sum, 31) + begins) | 0;
      }
    }
    if (sum !== info.sum) throw new Error("the snapshot belongs to another Python");
    return machine;
  };
}
