import { PublicObject } from '../../core/public-object.ts';
import { nameOf } from '../../core/check.ts';
import { checkMade, MAKER, type Maker } from '../../core/maker.ts';

/**
 * The end of a recorded command, for which later commands of the same {@link CommandBuffer} can wait: `waitFor: [point]`.
 */
export class SyncPoint extends PublicObject {
  /** The driver's number of the point. */
  readonly number: number;
  readonly #buffer: object;

  /** @internal */
  constructor(maker: Maker, buffer: object, number: number) {
    checkMade(maker === MAKER, 'SyncPoint', 'record a command: commandBuffer.kernel(), copy(), fill() or barrier()');
    super();
    this.#buffer = buffer;
    this.number = number;
  }

  /** Whether it is of this buffer. @internal */
  isOf(buffer: object): boolean {
    return this.#buffer === buffer;
  }
}

/** The numbers of a list of sync points of a buffer; undefined for an empty or missing list. */
export function pointNumbers(waitFor: unknown, buffer: object, what: string): Uint32Array | undefined {
  if (waitFor === undefined) return undefined;
  if (!Array.isArray(waitFor)) throw new TypeError(`${what}: waitFor takes SyncPoints, got ${nameOf(waitFor)}`);
  const numbers = Array.from(waitFor, (point: unknown) => {
    if (!(point instanceof SyncPoint)) {
      throw new TypeError(
        `${what}: waitFor takes SyncPoints, which recorded commands return; it holds ${nameOf(point)}`,
      );
    }
    if (!point.isOf(buffer)) throw new TypeError(`${what}: waitFor holds a SyncPoint of another CommandBuffer`);
    return point.number;
  });
  return numbers.length === 0 ? undefined : Uint32Array.from(numbers);
}
