/** <wide-figure>: a figure wider than its column can be scrolled by keyboard; only then does Tab stop at it. */

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
