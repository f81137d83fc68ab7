/** Text that a reader types, pastes or drops as a file; it stays on this page. */

const LONGEST = 20_000_001; // one more than Python reads, so that it says so

/** Call `given` whenever the text in `box` changes; a file dropped on `section` fills it. */
export function listenForText(section: HTMLElement, box: HTMLTextAreaElement, given: () => void, signal: AbortSignal): void {
  box.addEventListener("input", given, { signal });
  section.addEventListener("dragover", (event) => event.preventDefault(), { signal });
  const dropped = async (event: DragEvent): Promise<void> => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault(); // the browser would leave the page to show the file
    box.value = await file.slice(0, LONGEST).text();
    given();
  };
  section.addEventListener("drop", (event) => void dropped(event), { signal });
}
