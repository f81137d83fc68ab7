// Python in Node on Pyodide's WebAssembly and glue, but without the Python layer that Pyodide puts on top.
//
// The calculators come as files of the job (calculators.zip), as in a plain start; requests go through Python's C API.

import { glue, job, path, read, started } from "./runtime.mjs";

const HOME = "/home/pyodide";
const UNPACK = `
import sys, zipimport
archive = zipimport.zipimporter("/calculators.zip")
import os
for name in zipimport._zip_directory_cache["/calculators.zip"]:
    if not name.endswith("/"):
        os.makedirs(os.path.dirname(f"${HOME}/{name}"), exist_ok=True)
        with open(f"${HOME}/{name}", "wb") as file:
            file.write(archive.get_data(f"/calculators.zip/{name}"))
os.chdir("${HOME}")
sys.path.insert(0, "")
del archive, file, name, os
import calculators.bridge
from calculators.answers import explain
from calculators.machine import machines
from calculators.machine.report import comparison, formats
from calculators.page.machine import MACHINES
for joined in MACHINES.values():
    for step in joined().steps.values():
        explain.pieces_of(step)
machines.existing()
del MACHINES, comparison, explain, formats, joined, machines, step
`;

/** Start Python on this WebAssembly. Exports whose names begin with `hidden` are kept from the glue. */
export async function startedBarely(bytes, hidden) {
  let instance;
  let given;
  // Python then calls by way of JavaScript (_PyEM_TrampolineCall_JS) and not through a module of its own, which only
  // some browsers could run; that is what the glue does on this system.
  Object.defineProperty(globalThis, "navigator", { value: { userAgent: "iPhone" }, configurable: true });
  const python = await new Promise((resolve, reject) => {
    const createPyodideModule = async (settings) => {
      settings.noInitialRun = true;
      settings.instantiateWasm = async (imports, receive) => {
        given = imports;
        const compiled = await WebAssembly.compile(bytes);
        instance = await WebAssembly.instantiate(compiled, imports);
        const seen = Object.entries(instance.exports).filter(([name]) => !name.startsWith(hidden));
        receive({ exports: Object.fromEntries(seen) }, compiled);
      };
      resolve(await glue(settings));
      return new Promise(() => {}); // nothing that loadPyodide does after this is needed
    };
    const settings = { createPyodideModule, env: { PYTHONHOME: "/" } };
    started({ stdLibURL: path(job.library), ...settings }).catch(reject);
  });
  python._Py_InitializeEx(0);
  python.FS.writeFile("/calculators.zip", read(job.calculators));
  run(python, UNPACK);
  python.FS.unlink("/calculators.zip");
  return { python, instance, given };
}

/** Have Python run these lines; it prints itself what goes wrong. */
export function run(python, lines) {
  const text = python.stringToNewUTF8(lines);
  const failed = python._PyRun_SimpleString(text);
  python._free(text);
  if (failed) throw new Error("Python could not run its lines");
}

/** A function that lines before have left in Python's main module, to be called with anything. */
export function left(python, name) {
  const [main, text] = ["__main__", name].map((each) => python.stringToNewUTF8(each));
  const module = python._PyImport_AddModule(main);
  const called = python._PyObject_GetAttrString(module, text);
  return () => {
    if (!python._PyObject_CallOneArg(called, module)) throw new Error(`Python could not run ${name}`);
  };
}

/** Where the calculators' `respond` is in memory, with four bytes for the length of a text, and how to call it. */
export function responder(python) {
  const [name, attribute] = ["calculators.bridge", "respond"].map((text) => python.stringToNewUTF8(text));
  const respond = python._PyObject_GetAttrString(python._PyImport_AddModule(name), attribute);
  python._free(name);
  python._free(attribute);
  const size = python._malloc(4);
  const ask = (question) => {
    const text = python.stringToNewUTF8(question);
    const asked = python._PyUnicode_FromString(text);
    python._free(text);
    const answer = python._PyObject_CallOneArg(respond, asked);
    if (!answer) throw new Error("Python did not answer");
    python._Py_DecRef(answer);
    python._Py_DecRef(asked);
  };
  return { respond, size, ask };
}
