import type { ReportDetails } from '../../core/kernel-report.ts';
import { ImagePart } from '../abi/image-record.ts';
import { ImageFault } from '../runtime/fault.ts';
import type { EngineFinding } from '../runtime/finding.ts';
import type { DeviceMemory } from '../runtime/memory.ts';
import { elementOf, formOf } from './image-words.ts';
import { unreadableAt, unreadableCure, unreadableFinding } from './reference-report.ts';

const OBJECT = 'texture or surface';

/** What is wrong with the use of a texture or a surface: the finding's other thread tells which fault it is. */
export function imageFinding(finding: EngineFinding, memory: DeviceMemory): Pick<ReportDetails, 'kind' | 'summary'> {
  const { other, address } = finding;
  const unreadable = unreadableAt(finding, memory);
  if (unreadable) return { kind: 'texture-misuse', summary: unreadableFinding(unreadable) };
  const more = Number(BigInt.asUintN(32, address));
  switch (other) {
    case ImageFault.DESTROYED:
      return { kind: 'use-after-free', summary: `use after free: access through a closed ${OBJECT}` };
    case ImageFault.FREED_MEMORY:
      return { kind: 'use-after-free', summary: `use after free: access of freed memory through a ${OBJECT}` };
    case ImageFault.OUTSIDE: {
      const [x, y] = [BigInt.asIntN(32, address), BigInt.asIntN(32, address >> 32n)];
      const place = `x is ${x} bytes, y is ${y}`;
      return { kind: 'out-of-bounds', summary: `out of bounds: access outside of a surface (${place})` };
    }
    case ImageFault.WRONG_TYPE:
      return {
        kind: 'texture-misuse',
        summary: `texture misuse: the type of the access does not fit elements of ${elementOf(more)}`,
      };
    case ImageFault.WRONG_FORM:
      return { kind: 'texture-misuse', summary: `texture misuse: the function does not fit ${formOf(more)}` };
    default:
      return {
        kind: 'texture-misuse',
        summary: `texture misuse: access through 0x${address.toString(16)}, which is not a ${OBJECT}, or not any more,`,
      };
  }
}

/** The fix of such a mistake; undefined where the finding does not tell it. */
export function imageCure(finding: EngineFinding, memory: DeviceMemory): string | undefined {
  const { other, address } = finding;
  const unreadable = unreadableAt(finding, memory);
  if (unreadable) return unreadableCure(unreadable);
  switch (other) {
    case ImageFault.DESTROYED:
    case ImageFault.FREED_MEMORY:
      return 'close textures, surfaces and their arrays after the last kernel that uses them';
    case ImageFault.OUTSIDE:
      return 'a guard before it, or cudaBoundaryModeZero or cudaBoundaryModeClamp; x counts bytes';
    case ImageFault.WRONG_TYPE:
      return `read ${typeOf(Number(BigInt.asUintN(32, address)))}`;
    case ImageFault.NO_OBJECT:
      return 'give the kernel a Texture for cudaTextureObject_t, a Surface for cudaSurfaceObject_t';
    default:
      return undefined;
  }
}

/** The type in a kernel that such elements are read as. */
function typeOf(format: number): string {
  const count = 2 ** (format & 15);
  const part = format >> 4;
  const names = ['uchar', 'ushort', 'uint', 'char', 'short', 'int'];
  const words = ['unsigned char', 'unsigned short', 'unsigned int', 'signed char', 'short', 'int'];
  const name = part < ImagePart.F16 ? names[part] : 'float';
  return count > 1 ? `${name ?? ''}${count}` : part < ImagePart.F16 ? (words[part] ?? '') : 'float';
}
