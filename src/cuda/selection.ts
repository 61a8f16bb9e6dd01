import type { CheckedDevice } from '../core/kernel-report.ts';
import { nvrtcLibrary, nvrtcVersion } from './libraries/nvrtc/table.ts';
import { checksOf, chosenEmbedded, nvrtc } from './select.ts';
import { toolkits } from './toolkit.ts';

/** What compiles CUDA C++ in this process, and where headers may be. */
export interface NvrtcToolchain {
  readonly version: string;
  /** The library's file, as the loader was asked for it. */
  readonly path?: string | undefined;
  /** Folders of toolkits. */
  readonly homes: readonly string[];
}

/**
 * Whether CUDA runs on the embedded device: settles which device it is. A fake driver leaves the compiler to NVRTC.
 * @internal
 */
export function isEmbedded(): boolean {
  return chosenEmbedded() !== undefined;
}

/** The checked mode of the device; a GPU has none. */
export function checkedDevice(): CheckedDevice | undefined {
  return checksOf();
}

/**
 * Whether the vendor's library compiles: it brings no headers of C's library.
 * @internal
 */
export function isNativeNvrtc(): boolean {
  return nvrtcLibrary.isNative(nvrtc());
}

/**
 * The WebAssembly in an image that the embedded compiler made; undefined for any other.
 * @internal
 */
export function wasmOf(image: Uint8Array): Uint8Array | undefined {
  return chosenEmbedded()?.wasmOf(image);
}

/** What compiles CUDA C++ now. */
export function nvrtcToolchain(): NvrtcToolchain {
  const table = nvrtc();
  const embedded = chosenEmbedded();
  if (embedded && table === embedded.nvrtc) return { version: embedded.compilerVersion(), homes: [] };
  return { version: `NVRTC ${nvrtcVersion(table)}`, path: nvrtcLibrary.path, homes: toolkits() };
}
