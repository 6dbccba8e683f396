/** A list of listeners. */
export class Signal {
  #listeners = new Set<() => void>();

  /** Returns the function that ends the subscription. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
