/** Make a text in a sentence or a table work as a button, without moving what surrounds it. */
export function actAsButton(element: HTMLElement, title: string, signal: AbortSignal, used: () => void): void {
  element.setAttribute("role", "button");
  element.tabIndex = 0;
  element.title = title;
  element.addEventListener("click", used, { signal });
  const pressed = (event: KeyboardEvent): void => {
    if (event.target !== element || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    used();
  };
  element.addEventListener("keydown", pressed, { signal });
}
