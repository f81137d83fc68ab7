// Leftovers: what is in Python's memory and no request reads. None of it is to travel with the snapshot.

const [LARGEST, SMALLEST] = [1024 * 1024, 8]; // bytes requested from `malloc`
const FROZEN = { lists: ["Bootstrap", "Stdlib", "Test"], code: 4, size: 8, length: 16 }; // C's struct _frozen
const END_OF_SIGNATURE = "\n--\n\n"; // only the documentation of a function written in C has it

/**
 * Docstrings of functions, their line numbers, the names of what they are in, what classes note of their source, and the
 * examples of warnings and verdicts: an answer shows none of them.
 * And the dataclasses of inputs, from which every calculator has taken what they declare.
 */
export const LIGHTEN = `
import gc, types
from calculators.declare import Calculator, Formula

def light(code):
    constants = [light(each) if isinstance(each, types.CodeType) else each for each in code.co_consts]
    if code.co_flags & 0x4000000:  # CO_HAS_DOCSTRING, which inspect does not name
        constants[0] = None
    return code.replace(co_linetable=b"", co_consts=tuple(constants), co_qualname=code.co_name)

for found in gc.get_objects():
    if isinstance(found, types.FunctionType):
        found.__code__ = light(found.__code__)
        found.__annotations__ = None
        found.__qualname__ = found.__name__
    mutable = isinstance(found, type) and found.__flags__ & 0x300 == 0x200  # made by a class statement, or like it
    if mutable or isinstance(found, (types.FunctionType, types.ModuleType)):
        found.__doc__ = None
    if mutable and vars(found).get("__annotate_func__"):
        found.__annotate__ = None
    for name in {"__dataclass_params__", "__firstlineno__", "__static_attributes__"} & vars(found).keys() if mutable else ():
        delattr(found, name)
    if isinstance(found, Formula):
        vars(found)["examples"] = ()
    if isinstance(found, Calculator):
        for name in vars(found.inputs_type).keys() - {"__dict__", "__doc__", "__module__", "__weakref__"}:
            delattr(found.inputs_type, name)
del found, mutable, name, light, gc, types, Calculator, Formula
`;

/**
 * What only the import of further modules needs, and there is nothing to import any more: where each module came from,
 * facts that no answer uses, and the source of formulas, which are cut into their pieces; so are the modules that
 * declare and cut. And what was written for the questions asked so far, and the buffers of standard streams, 128 KiB
 * each with whatever was in that memory before. What is left stays, so the garbage collector need not look at it again.
 */
export const CLEAR = `
import functools, gc, io, linecache, re, sys, types, zipimport
from calculators import facts
from calculators.bridge import settle
from calculators.declare import Formula
facts.forget()
linecache.clearcache()
re.purge()
for files in zipimport._zip_directory_cache.values():
    files.clear()
zipimport._zip_directory_cache.clear()
sys.path_importer_cache.clear()
for found in gc.get_objects():
    if type(found) is functools._lru_cache_wrapper and found.cache_parameters()["maxsize"] is not None:
        found.cache_clear()
    if isinstance(found, Formula):
        vars(found).pop("body", None)
sys.stdin = sys.__stdin__ = None
sys.stdout = sys.__stdout__ = sys.stderr = sys.__stderr__ = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), write_through=True)
for name in [name for name in sys.modules if name.partition(".")[0] == "calculators"]:
    for place in ("__cached__", "__loader__", "__spec__"):
        vars(sys.modules[name]).pop(place, None)
done = [sys.modules.pop(name, None) for name in ("ast", "calculators.declare.checks", "dis", "inspect", "tokenize")]
for found in list(sys.modules.values()):
    for name, value in list(vars(found).items()):
        if isinstance(value, types.ModuleType) and any(value is each for each in done):
            delattr(found, name)
del done, facts, files, found, io, name, place, types, value, Formula
settle()
`;

/**
 * Fill free memory with zeros: take all there is, in ever smaller blocks, and give it back. What was there would travel
 * with the image, chance included. Memory must not grow meanwhile: Python's end of it is put at the very end, and
 * WebAssembly refuses more.
 */
export function zeroFree({ _malloc, _free, HEAPU8, HEAPU32, _emscripten_get_sbrk_ptr }) {
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

/** Fill with zeros what calls left behind, modules that wait to be imported, and the docstrings of built-in functions. */
export function zeroUnread(python) {
  const { HEAPU8: memory, HEAPU32: words } = python;
  const endOfData = python._emscripten_stack_get_end(); // the stack grows down towards it
  memory.fill(0, endOfData, python._emscripten_stack_get_current());
  for (const list of FROZEN.lists) {
    const first = words[python[`__PyImport_Frozen${list}`] >>> 2];
    for (let each = first; words[each >>> 2] !== 0; each += FROZEN.length) {
      const code = words[(each + FROZEN.code) >>> 2];
      memory.fill(0, code, code + words[(each + FROZEN.size) >>> 2]);
    }
  }
  const data = Buffer.from(memory.buffer, 0, endOfData);
  for (let found = data.indexOf(END_OF_SIGNATURE); found >= 0; found = data.indexOf(END_OF_SIGNATURE, found + 1)) {
    data.fill(0, data.lastIndexOf(0, found) + 1, data.indexOf(0, found));
  }
}
