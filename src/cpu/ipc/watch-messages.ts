import type { WasmMemory } from '../abi/webassembly.ts';

/** A gate of a context, which opens when a word of device memory is not 0, or when the process that writes it has ended. */
export interface Watched {
  readonly gate: number;
  readonly context: number;
  readonly word: number;
  readonly process: number;
}

/** What the thread begins with. */
export interface WatchStart {
  readonly control: SharedArrayBuffer;
  readonly memory: WasmMemory;
}

export type WatchMessage =
  | { readonly type: 'watch'; readonly watched: Watched }
  | { readonly type: 'control'; readonly control: SharedArrayBuffer };
