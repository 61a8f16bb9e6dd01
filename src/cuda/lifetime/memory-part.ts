import { PublicObject } from '../../core/public-object.ts';

let baseOf: (part: object) => unknown;

/** A piece of memory that owns nothing: what it is a part of has to be kept for it. */
export abstract class MemoryPart extends PublicObject {
  readonly #base: unknown;

  constructor(base: unknown) {
    super();
    this.#base = base;
  }

  static {
    baseOf = (part) => (#base in part ? part.#base : undefined);
  }
}

/** What a value is a part of; undefined where it is not a part of anything. */
export function partOf(value: object): unknown {
  return baseOf(value);
}
