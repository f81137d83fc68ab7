/**
 * The snapshot: Python as the build left it (builder/engine/snapshot.mjs), its WebAssembly and the pages of its memory that
 * are not zero. It needs next to nothing of a browser, so starting it is filling memory and compiling. What else
 * Python could want, files or chance, it does not want while it answers; should it ever, the snapshot is at an end.
 */

import type { SnapshotInfo, Respond } from "./protocol";

/** What it offers: its table of functions, and of Python's C API what a question needs. */
interface Python {
  readonly __indirect_function_table: WebAssembly.Table;
  malloc(size: number): number;
  free(place: number): void;
  PyUnicode_FromStringAndSize(place: number, size: number): number;
  PyUnicode_AsUTF8AndSize(object: number, size: number): number;
  PyObject_CallOneArg(callable: number, argument: number): number;
  Py_DecRef(object: number): void;
}

const PAGE = 64 * 1024;
const MOST_PAGES = 65_536;
const GENEROUS = 8; // an eighth more than was asked for
const WALL_CLOCK = 0; // the others begin anywhere and never go back
const NANOSECONDS = 1e6; // of a millisecond
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Snapshot {
  private readonly memory: WebAssembly.Memory;
  private table: WebAssembly.Table | undefined;

  constructor(private readonly info: SnapshotInfo) {
    this.memory = new WebAssembly.Memory({ initial: info.length / PAGE, maximum: MOST_PAGES });
  }

  /** Put the pages where they belong, as they arrive. */
  async fill(image: ReadableStream<Uint8Array<ArrayBuffer>> | null): Promise<void> {
    const memory = new Uint8Array(this.memory.buffer);
    const reader = image?.getReader();
    let piece: Uint8Array = new Uint8Array();
    for (const [from, to] of this.info.ranges) {
      for (let place = from; place < to; ) {
        while (piece.length === 0) {
          const value = (await reader?.read())?.value;
          if (!value) throw new Error("Python's memory is not complete");
          piece = value;
        }
        const part = piece.subarray(0, to - place);
        memory.set(part, place);
        place += part.length;
        piece = piece.subarray(part.length);
      }
    }
    if (piece.length > 0 || !(await reader?.read())?.done) throw new Error("Python's memory is too long");
  }

  /** Run on the memory, which must be filled before anything is asked. */
  async run(module: WebAssembly.Module): Promise<Respond> {
    const { exports } = await WebAssembly.instantiate(module, this.world());
    const python = exports as unknown as Python;
    this.table = python.__indirect_function_table;
    return (text) => this.answer(python, text);
  }

  /** What the WebAssembly may call. */
  private world(): WebAssembly.Imports {
    const provided: Readonly<Record<string, WebAssembly.ImportValue>> = {
      memory: this.memory,
      // How Python calls functions that may take fewer arguments than there are.
      _PyEM_TrampolineCall_JS: (place: number, one: number, two: number, three: number): unknown =>
        this.table?.get(place)(one, two, three),
      emscripten_resize_heap: (size: number): number => this.grow(size >>> 0),
      clock_time_get: (clock: number, _precision: bigint, place: number): number => this.tell(clock, place >>> 0),
    };
    const missing = (name: string) => (): never => {
      throw new Error(`Python needs ${name} from the browser`);
    };
    const all = new Proxy(provided, { get: (known, name) => known[name as string] ?? missing(name as string) });
    return { env: all, wasi_snapshot_preview1: all };
  }

  /** Write what a clock says, in nanoseconds. */
  private tell(clock: number, place: number): number {
    const now = clock === WALL_CLOCK ? Date.now() : performance.now();
    new DataView(this.memory.buffer).setBigUint64(place, BigInt(Math.round(now * NANOSECONDS)), true);
    return 0;
  }

  /** Make memory this large and a little larger, or just this large. */
  private grow(size: number): number {
    const now = this.memory.buffer.byteLength;
    for (const wanted of [size + now / GENEROUS, size]) {
      try {
        this.memory.grow(Math.ceil((wanted - now) / PAGE));
        return 1;
      } catch {
        // Python hears of it below, and says MemoryError.
      }
    }
    return 0;
  }

  private answer(python: Python, text: string): string {
    const { respond, size } = this.info;
    const asked = this.toPython(python, text);
    const answer = python.PyObject_CallOneArg(respond, asked);
    python.Py_DecRef(asked);
    if (answer === 0) throw new Error("Python raised an error that no handler caught");
    const place = python.PyUnicode_AsUTF8AndSize(answer, size);
    const length = new DataView(this.memory.buffer).getUint32(size, true);
    const answered = decoder.decode(new Uint8Array(this.memory.buffer, place >>> 0, length));
    python.Py_DecRef(answer);
    return answered;
  }

  private toPython(python: Python, text: string): number {
    const bytes = encoder.encode(text);
    const place = python.malloc(bytes.length);
    if (place === 0) throw new Error("there is no memory left");
    new Uint8Array(this.memory.buffer).set(bytes, place >>> 0);
    const made = python.PyUnicode_FromStringAndSize(place, bytes.length);
    python.free(place);
    if (made === 0) throw new Error("there is no memory left");
    return made;
  }
}
