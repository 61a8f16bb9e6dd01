/** Something wrong that a thread does, at a place of the kernel by its number. Who runs the kernel makes an error of it. */
export class Fault extends Error {
  readonly site: number;
  /** What is wrong; `{access}` and `{array}` stand for what the place says of itself. */
  readonly reason: string;
  /** What stands behind the thread, if anything. */
  readonly more: string;

  constructor(site: number, reason: string, more = '') {
    super(reason);
    this.site = site;
    this.reason = reason;
    this.more = more;
  }
}

/** An index outside of its array. */
export function outOfBounds(site: number, indices: readonly number[], shape: readonly number[]): Fault {
  const places = indices.map((index) => `[${index}]`).join('');
  const [length = 0] = shape;
  const size = shape.length === 1 ? `${length} element${length === 1 ? '' : 's'}` : `shape [${shape.join(', ')}]`;
  return new Fault(site, `out-of-bounds {access} of {array}${places}`, `: {array} has ${size}`);
}
