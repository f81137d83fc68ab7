/** Saves a file from the browser, without a server. */

export function save(name: string, content: string | Blob): void {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: "text/plain;charset=utf-8" }));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href));
}
