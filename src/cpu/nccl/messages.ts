import type { OperationName } from '../../nccl/flight-record.ts';
import type { WasmMemory } from '../abi/webassembly.ts';

type Words = Int32Array<SharedArrayBuffer>;

/** An operation of one rank. Addresses are of device memory; counts are of elements. */
export interface Operation {
  readonly name: OperationName;
  readonly send: number;
  readonly recv: number;
  readonly count: number;
  /** An `ncclDataType_t`. */
  readonly dtype: number;
  readonly reduction: Reduction | undefined;
  /** The root of a collective, or the peer; 0 where there is none. */
  readonly root: number;
}

/** An `ncclRedOp_t` of NCCL's own, and the scalar that each rank multiplies its elements by before a sum. */
export interface Reduction {
  readonly op: number;
  /** The scalar's bytes, or its address in device memory. */
  readonly scalar?: Uint8Array | number;
}

/** An id, as a rank presents it. */
export interface RootAddress {
  readonly port: number;
  readonly nonce: Uint8Array;
}

/** What the progress thread begins with. */
export interface ProgressData {
  readonly control: SharedArrayBuffer;
  readonly memory: WasmMemory;
}

/** The messages to the progress thread. */
export type ProgressMessage =
  | { readonly type: 'listen'; readonly words: Words; readonly nonce: Uint8Array }
  | {
      readonly type: 'init';
      readonly comm: number;
      readonly words: Words;
      /** The first one brings the ranks together. */
      readonly roots: readonly RootAddress[];
      readonly size: number;
      readonly rank: number;
      readonly device: string;
    }
  | {
      readonly type: 'split';
      readonly parent: number;
      readonly comm: number;
      readonly words: Words;
      readonly color: number;
      readonly key: number;
    }
  | {
      readonly type: 'shrink';
      readonly parent: number;
      readonly comm: number;
      readonly words: Words;
      readonly exclude: readonly number[];
    }
  | {
      readonly type: 'batch';
      readonly comm: number;
      readonly gate: number;
      readonly context: number;
      readonly operations: readonly Operation[];
      /** The communicator is in progress until this message has arrived. */
      readonly slow: boolean;
    }
  | { readonly type: 'release'; readonly comm: number }
  | { readonly type: 'drop'; readonly comm: number; readonly abort: boolean }
  | { readonly type: 'control'; readonly control: SharedArrayBuffer };
