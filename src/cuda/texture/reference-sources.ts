import type { AnyHandle } from '../../core/handle.ts';

/**
 * What the texture and surface references of a module are bound to. It stays alive until a reference is bound to something else,
 * or the module is unloaded: as a parent of the module's handle this is released then.
 */
export class ReferenceSources implements AnyHandle {
  readonly #bound = new Map<string, AnyHandle | undefined>();
  #count = 0;

  retain(): this {
    this.#count++;
    return this;
  }

  release(): void {
    if (--this.#count > 0) return;
    for (const name of [...this.#bound.keys()]) this.hold(name, undefined);
    this.#bound.clear();
  }

  /** Keep the source of a reference alive, in the place of the one before. */
  hold(name: string, source: AnyHandle | undefined): void {
    const before = this.#bound.get(name);
    source?.retain();
    this.#bound.set(name, source);
    before?.release();
  }
}

/** The module of a reference. */
export interface ReferenceHome {
  /** Throws once the module is closed. */
  use(method: string): unknown;
  readonly sources: ReferenceSources;
}
