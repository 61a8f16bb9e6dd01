/** Names that no value of a function has. */
export class FreshNames {
  #last = -1;

  /** @param names - the names of its values */
  constructor(names: Iterable<string | undefined>) {
    for (const name of names) this.#last = Math.max(this.#last, Number(/^%v(\d+)$/.exec(name ?? '')?.[1] ?? -1));
  }

  next(): string {
    return `%v${++this.#last}`;
  }
}
