/** A note at the top of what stays without its script. */

export function reportMissing(place: Element): void {
  if (place.querySelector(":scope > .missing")) return;
  const note = document.createElement("p");
  note.className = "missing";
  note.setAttribute("role", "alert");
  note.textContent = "A script of this page did not load, so part of it does not react: reload the page.";
  place.prepend(note);
}
