import { ProgramBinaryType } from '../../opencl/sys/enums.ts';
import { decodeProgram, encodeProgram } from '../abi/program.ts';
import type { Build } from './program.ts';

const OBJECT_MARK = 'RKCLO-';
const TAIL_MARK = 'RKCL-OPT';
const LENGTH_BYTES = 4;

/** The build options, behind the end of a binary. */
interface Tail {
  readonly options: string;
  readonly uniform: boolean;
}

/** A build as a binary; empty for a failed build. */
export function encodeBinary({ program, object, options, uniform }: Build): Uint8Array {
  if (object) return object;
  if (!program) return new Uint8Array(0);
  const image = encodeProgram(program);
  const tail: Tail = { options, uniform };
  const json = new TextEncoder().encode(JSON.stringify(tail));
  const mark = new TextEncoder().encode(TAIL_MARK);
  const bytes = new Uint8Array(image.length + json.length + LENGTH_BYTES + mark.length);
  bytes.set(image);
  bytes.set(json, image.length);
  new DataView(bytes.buffer).setUint32(image.length + json.length, json.length, true);
  bytes.set(mark, bytes.length - mark.length);
  return bytes;
}

/** The build in a binary, not loaded; undefined for other bytes. */
export function decodeBinary(bytes: Uint8Array): Pick<Build, 'type' | 'program' | 'object' | 'uniform'> | undefined {
  if (textAt(bytes, 0, OBJECT_MARK.length) === OBJECT_MARK) {
    return { type: ProgramBinaryType.COMPILED_OBJECT, object: bytes, uniform: true };
  }
  try {
    const program = decodeProgram(bytes);
    if (!program?.kernels.every(({ opencl }) => opencl)) return undefined;
    return { type: ProgramBinaryType.EXECUTABLE, program, uniform: tailOf(bytes)?.uniform ?? true };
  } catch {
    // The part that is text is damaged.
    return undefined;
  }
}

function tailOf(bytes: Uint8Array): Tail | undefined {
  const end = bytes.length - TAIL_MARK.length;
  if (textAt(bytes, end, TAIL_MARK.length) !== TAIL_MARK) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = end - LENGTH_BYTES;
  const length = view.getUint32(at, true);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(at - length, at))) as Tail;
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return at < 0 ? '' : String.fromCharCode(...bytes.subarray(at, at + length));
}
