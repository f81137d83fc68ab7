// Bytecode for the browser's Python, compiled by that Python: `node bytecode.mjs compile|ask FOLDER`.
//
// `compile` starts Pyodide as it comes, sends the calculators every request of the job, and compiles them and what they
// have imported of Python's library. `ask` starts with the archives that were made of that and writes the answers.

import { answered, job, leaveNothingToChance, main, startedPlainly, write } from "./runtime.mjs";

// py_compile's "unchecked hash": used without a look at the source, which in the library is not there any more.
const COMPILE = `
import sys
library = next(path for path in sys.path if path.endswith(".zip"))
files = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
used = sorted(file for file in files if file.startswith(library) and file.endswith(".py"))

import importlib.util, py_compile, zipfile
from pathlib import Path

def compiled(source, name):
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(source, cfile="/made.pyc", dfile=name, doraise=True, invalidation_mode=unchecked)
    return Path("/made.pyc").read_bytes()

zipfile.ZipFile(library).extractall("/library")
with zipfile.ZipFile("/made.zip", "w") as made:
    for file in used:
        name = file.removeprefix(library + "/")
        made.writestr(zipfile.ZipInfo(f"library/{name}c"), compiled(f"/library/{name}", file))
    for path in sorted(Path("calculators").rglob("*.py")):
        name = str(path)
        made.writestr(zipfile.ZipInfo(importlib.util.cache_from_source(name)), compiled(name, name))
`;

async function compile() {
  leaveNothingToChance();
  const pyodide = await startedPlainly();
  answered(pyodide);
  pyodide.runPython(COMPILE);
  write("made.zip", pyodide.FS.readFile("/made.zip"));
}

async function ask() {
  return answered(await startedPlainly());
}

await main({ compile, ask });
