import { wasm } from '../webassembly.ts';
import { KernelFault } from './host.ts';

const ILLEGAL_ADDRESS = 700;
const MISALIGNED_ADDRESS = 716;
const INVALID_PC = 718;
const LAUNCH_FAILED = 719;

/**
 * The status that an exception out of a kernel stands for.
 *
 * @returns the status, and whether the finding was noted already where it was thrown
 */
export function faultOf(error: unknown): { readonly status: number; readonly known: boolean } {
  if (error instanceof KernelFault) return { status: error.status, known: true };
  const text = error instanceof wasm.RuntimeError ? error.message : '';
  // V8's words; there is nothing else to tell one trap from another by.
  if (/out of bounds/.test(text) && !/table/.test(text)) return { status: ILLEGAL_ADDRESS, known: false };
  if (/unaligned/.test(text)) return { status: MISALIGNED_ADDRESS, known: false };
  if (/table|signature|null function/.test(text)) return { status: INVALID_PC, known: false };
  return { status: LAUNCH_FAILED, known: false };
}
