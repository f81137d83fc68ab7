/** Saves a file from the browser, without a server. */

export function save(name: string, content: BlobPart, type = "text/plain;charset=utf-8"): void {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([content], { type }));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href));
}
