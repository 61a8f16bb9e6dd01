import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { nameOf } from '../core/check.ts';
import { describeFacts, PublicObject } from '../core/public-object.ts';
import { callLater, lastError, nc } from './call.ts';
import { ncclError } from './errors.ts';
import { UNIQUE_ID_BYTES } from './sys/enums.ts';

/**
 * What the ranks of a communicator have in common: one makes it, and all others get its bytes, by any road.
 *
 * @example
 * ```ts
 * import { UniqueId } from 'rawkernel/nccl';
 *
 * const id = UniqueId.create();
 * const same = UniqueId.fromBytes(id.toBytes());
 * console.log(same.toBytes().length); // 128
 * ```
 * @see {@link https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/api/comms.html | ncclGetUniqueId}
 */
export class UniqueId extends PublicObject {
  readonly #bytes: Uint8Array;

  /** @internal */
  constructor(maker: Maker, bytes: Uint8Array) {
    checkMade(maker === MAKER, 'UniqueId', 'call UniqueId.create() or UniqueId.fromBytes()');
    super();
    this.#bytes = bytes;
  }

  /**
   * Make one. NCCL opens a port for it, at which the ranks meet: the process has to live until all have come.
   *
   * Host: blocks for some milliseconds the first time, while NCCL looks for network cards.
   *
   * @throws {@link LibraryNotFoundError} NCCL is not installed
   * @throws {@link NcclError} ncclSystemError: no network interface can be used
   */
  static create(): UniqueId {
    const bytes = new Uint8Array(UNIQUE_ID_BYTES);
    nc.ncclGetUniqueId(bytes);
    return new UniqueId(MAKER, bytes);
  }

  /** The same of its 128 bytes. */
  static fromBytes(bytes: Uint8Array): UniqueId {
    if (!(ArrayBuffer.isView(bytes) && bytes.byteLength === UNIQUE_ID_BYTES)) {
      const length = ArrayBuffer.isView(bytes) ? `${bytes.byteLength} bytes` : nameOf(bytes);
      throw new TypeError(`UniqueId.fromBytes: bytes must be ${UNIQUE_ID_BYTES} bytes in a Uint8Array, got ${length}`);
    }
    return new UniqueId(MAKER, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).slice());
  }

  /** A copy of its 128 bytes. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#bytes);
  }
}
describeFacts(UniqueId, (id) => ({ bytes: `${Buffer.from(id.toBytes()).toString('hex', 0, 8)}…` }));

/** {@link UniqueId.create} on a worker thread of the runtime, for what is asynchronous anyway. */
export async function createUniqueId(): Promise<UniqueId> {
  const bytes = new Uint8Array(new ArrayBuffer(UNIQUE_ID_BYTES));
  const code = await callLater('ncclGetUniqueId', bytes);
  if (code !== 0) throw ncclError('ncclGetUniqueId', code, { said: lastError() });
  return UniqueId.fromBytes(bytes);
}
