/** Runs what touches the same names one after the other, in the order in which it came, and everything else side by side. */
export class Lanes {
  readonly #last = new Map<string, Promise<void>>();

  run<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    const result = Promise.all(names.map((name) => this.#last.get(name))).then(work);
    const settled = result.then(() => undefined, () => undefined);
    for (const name of names) this.#last.set(name, settled);
    return result;
  }

  /** Settles when everything that was given has been run. */
  async idle(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}
