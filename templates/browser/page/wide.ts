/** A figure wider than its place can be scrolled by keys too, and only then is a stop on the way of the Tab key. */

class WideFigure extends HTMLElement {
  #watch = new ResizeObserver(() => {
    if (this.scrollWidth > this.clientWidth) this.tabIndex = 0;
    else this.removeAttribute("tabindex");
  });

  connectedCallback(): void {
    this.#watch.observe(this);
  }

  disconnectedCallback(): void {
    this.#watch.disconnect();
  }
}

export function defineWideFigure(): void {
  customElements.define("wide-figure", WideFigure);
}
