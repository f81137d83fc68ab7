/** Python's memory as builder/engine/snapshot.py packed it, made into what Pyodide restores. */

import type { MemoryInfo } from "../messages";

/** What Pyodide's own program gives: it makes the machine of WebAssembly and JavaScript that Python runs on. */
export type Glue = (settings: object) => Promise<Machine>;

interface Machine {
  readonly HEAPU8: Uint8Array<ArrayBuffer>;
  growMemory(size: number): void;
}

export class Snapshot {
  /** Filled while it arrives; complete once `completedBy`'s machine stands. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  private readonly arrived: Promise<void>;

  constructor(
    private readonly info: MemoryInfo,
    response: Promise<Response>,
  ) {
    this.bytes = new Uint8Array(info.length);
    this.arrived = response.then((found) => this.read(found));
    this.arrived.catch(() => {}); // the download itself says so first
  }

  /**
   * Pyodide's program, which moreover completes the snapshot. The file leaves out what the WebAssembly begins with
   * anyway (exclusive or: equal words became zeros). If it begins otherwise here, this rejects.
   */
  completedBy(glue: Glue): Glue {
    return async (settings) => {
      const machine = await glue(settings);
      await this.arrived;
      const start = new Uint32Array(this.bytes.buffer, 0, 2)[1] ?? 0; // behind Pyodide's header
      const size = this.bytes.length - start;
      if (machine.HEAPU8.length < size) machine.growMemory(size);
      const memory = new Uint32Array(this.bytes.buffer, start);
      const beginning = new Uint32Array(machine.HEAPU8.buffer);
      let sum = 0;
      for (const [from, to] of this.info.ranges) {
        for (let word = from / 4; word < to / 4; word++) {
          const begins = beginning[word] as number;
          memory[word] = (memory[word] as number) ^ begins;
          sum = (Math.imul(sum, 31) + begins) | 0;
        }
      }
      if (sum !== this.info.sum) throw new Error("the snapshot belongs to another Python");
      return machine;
    };
  }

  private async read(response: Response): Promise<void> {
    const reader = response.body?.getReader();
    let place = 0;
    for (;;) {
      const piece = await reader?.read();
      if (!piece?.value) return; // the zeros at its end did not travel
      this.bytes.set(piece.value, place); // throws where there is more than there should be
      place += piece.value.length;
    }
  }
}
