// Which of a module's functions answering reaches: those that ran, and all that those call by name, however deep.
//
// Pyodide's WebAssembly has seventeen thousand functions, and a question needs one in eight of them. To know which,
// every function is made to note that it ran (`noting`). What Python calls by way of a table is kept as well, needed so
// far or not: all that its types, and its functions written in C, are made of, but for the compiler, there being nothing
// to compile any more. The others keep their places but do nothing (`reduced`): a call of one is a trap, which ends the
// snapshot, and the browser starts Python plainly.

import { afterLocals, called } from "./instructions.mjs";
import * as wasm from "./wasm.mjs";

const LEFT_OUT = Uint8Array.of(0, wasm.UNREACHABLE, wasm.END); // no locals
const [I32_CONST, GLOBAL_SET] = [0x41, 0x24];

/** The module's functions, each with its bytes; those of `imported` come first in its numbers. */
export class Functions {
  constructor(code, imported) {
    this.bodies = wasm.bodies(code);
    this.imported = imported;
  }

  /** All bodies, each setting a global when it runs; `first` is the number of the first of these globals. */
  noting(first) {
    const noted = (body, place) => {
      const start = afterLocals(body);
      const set = [I32_CONST, 1, GLOBAL_SET, ...wasm.unsigned(first + place)];
      return Buffer.concat([body.subarray(0, start), Uint8Array.from(set), body.subarray(start)]);
    };
    return wasm.code(this.bodies.map(noted));
  }

  /** All that these reach, by number. */
  reachedFrom(numbers) {
    const reached = new Set(numbers);
    // Iterating over a set includes what is added meanwhile.
    for (const number of reached) {
      const body = this.bodies[number - this.imported];
      if (body) for (const each of called(body)) reached.add(each);
    }
    return reached;
  }

  /** The bodies of those that are reached; the others trap. */
  reduced(reached) {
    return wasm.code(this.bodies.map((body, place) => (reached.has(place + this.imported) ? body : LEFT_OUT)));
  }
}

// Where a type of Python's C API (PyTypeObject) has what: its own functions, and lists of them that it points to.
const TYPE = { size: 192, tables: [[40, 16], [48, 144], [52, 40], [56, 12], [80, 8]], methods: 116, accessors: 124 };
const FUNCTION = { method: 8, called: 4 }; // PyCFunctionObject, PyMethodDef
const [METHOD, ACCESSOR] = [[16, 4, 8], [20, 4, 12]]; // its length; where its functions begin and end

/** Leaves in `types` and `functions` where Python's types and the functions written in C are in memory, four bytes each. */
export const TYPES = `
import gc, struct
types = [object]
for each in types:
    types += [other for other in type.__subclasses__(each) if other not in types]
types, functions = (struct.pack(f"{len(found)}I", *map(id, found))
                    for found in (types, [each for each in gc.get_objects()
                                          if type(each) is type(len) and each not in (compile, eval, exec)]))
`;

/** The places in the table of functions that a type may call, or that look so: its slots, methods and accessors. */
export function slots(words, type) {
  const at = (place) => words[place >>> 2];
  const range = (from, size) => Array.from({ length: size >>> 2 }, (_, place) => at(from + 4 * place));
  const listed = (from, [length, start, end]) => {
    const found = [];
    for (let each = from; each !== 0 && at(each) !== 0; each += length) found.push(...range(each + start, end - start));
    return found;
  };
  const tables = TYPE.tables.flatMap(([place, size]) => (at(type + place) === 0 ? [] : range(at(type + place), size)));
  return [
    ...range(type, TYPE.size),
    ...tables,
    ...listed(at(type + TYPE.methods), METHOD),
    ...listed(at(type + TYPE.accessors), ACCESSOR),
  ];
}

/** The place in the table of a function written in C. */
export const place = (words, written) => words[(words[(written + FUNCTION.method) >>> 2] + FUNCTION.called) >>> 2];

/**
 * What calculators may do that no question happened to need so far, as `warmup(_)`: every method and operator of
 * Python's plain values, and every built-in function, with arguments that fit.
 */
export const WARMUP = `
import builtins, gc, itertools, math, warnings
warnings.simplefilter("ignore")
values = (0, 1, -7, 10**20, True, None, 0.0, 2.5, -1e300, float("inf"), "", "text", "ÄŁ∂", b"bytes", (), (1, 2.5), [], [3, 1, 2],
          {}, {"one": 1}, {1, 2}, frozenset("ab"), range(3), slice(1, 2), Exception("wrong"), len, dict.fromkeys, iter([1]))
ours = {"breakpoint", "exec", "eval", "compile", "exit", "quit", "help", "input", "open", "copyright", "credits", "license", "print"}
names = [(place, name) for place in (math, builtins) for name in dir(place) if name not in ours and name[0] != "_"]
functions = [getattr(place, name) for place, name in names if callable(getattr(place, name))]
methods = [(value, name) for value in values for name in dir(type(value)) if name not in {"__rpow__", "__class__"}]
few = (0, 2, 2.5, "text", [1, 2], None)
COLLECTIONS, COLLECTED = 100, 100  # the collector marks in many small steps before it moves what it reached
given = [(), *itertools.product(few), *itertools.product(few, repeat=2)]

def call(called, given):
    try:
        list(itertools.islice(called(*given), 3))
    except Exception as error:
        str(error)

def warmup(_):
    for function in functions:
        for each in given:
            call(function, each)
    for value, name in methods:
        for each in given:
            call(getattr(type(value)(value) if isinstance(value, (list, dict, set)) else value, name), each)
    for value in values:
        for form in ("", "d", ",d", "f", ".3f", ",.2f", "e", ".1e", "g", ".4g", "%", ".1%", "x", "b", "o", "c", "n", ">9", "^9", "09"):
            call(format, (value, form))
            call(f"%{form}".__mod__, (value,))
    for alike in ([3, 1, 2], [2.5, 1.5], ["b", "a"], [(1, 2), (1, 1)], [(2.5, "b"), (2.5, "a")], [3, 2.5]):
        call(sorted, (alike,))
    for _ in range(COLLECTIONS):
        circles = [[] for _ in range(COLLECTED)]
        for circle in circles:
            circle.append({"one": circle, "all": circles})
        del circle, circles
        gc.collect(1)
    gc.collect()
`;
