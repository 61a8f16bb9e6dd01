/** Closes objects, the newest first. */
export class Closing {
  readonly #made: { close: () => void }[] = [];

  keep<T extends { close: () => void }>(object: T): T {
    this.#made.unshift(object);
    return object;
  }

  close(): void {
    for (const object of this.#made) object.close();
  }
}
