import { ReferenceRecord, Unreadable } from '../abi/image-record.ts';
import type { CpuReference, ReferenceElement } from '../abi/program.ts';
import { ImageFault } from '../runtime/fault.ts';
import type { EngineFinding } from '../runtime/finding.ts';
import type { DeviceMemory } from '../runtime/memory.ts';
import { elementOf, formOf } from './image-words.ts';

/** A texture or surface reference that a kernel has used and that has no handle, and why. */
export interface UnreadableReference {
  readonly reference: CpuReference;
  /** An `Unreadable` with what more it tells. */
  readonly reason: number;
}

/** The reference whose variable is at the address of a finding; undefined where there is something else. */
export function unreadableAt(
  { other, address, program }: EngineFinding,
  memory: DeviceMemory,
): UnreadableReference | undefined {
  const at = Number(address);
  const { view } = memory;
  if (other !== ImageFault.NO_OBJECT || !program?.references || at % 8 !== 0) return undefined;
  // A variable without a handle has its own address in the handle's place.
  if (at + ReferenceRecord.REASON >= view.byteLength) return undefined;
  if (view.getBigUint64(at + ReferenceRecord.HANDLE, true) !== address) return undefined;
  const reference = program.references[view.getUint32(at + ReferenceRecord.NUMBER, true)];
  return reference && { reference, reason: view.getUint32(at + ReferenceRecord.REASON, true) };
}

/** What is wrong with it. */
export function unreadableFinding({ reference, reason }: UnreadableReference): string {
  const { kind, name, form, element } = reference;
  const what = `${kind} misuse: the ${kind} reference ${name}`;
  const more = reason >> 8;
  switch (reason & 255) {
    case Unreadable.UNBOUND:
      return `${what} is not bound to anything, and used`;
    case Unreadable.WRONG_TYPE:
      return `${what}, declared to read ${element ? declaredAs(element) : '?'}, is bound to elements of ${elementOf(more)}, and used`;
    case Unreadable.WRONG_FORM:
      return `${what}, declared for ${formOf(form)}, is bound to ${formOf(more)}, and used`;
    default:
      return `${what} is used with settings that do not fit each other: a format, flags, or a linear filter of integers`;
  }
}

/** The fix of that. */
export function unreadableCure({ reference, reason }: UnreadableReference): string {
  const { kind, name, element } = reference;
  const get = `module.get${kind === 'texture' ? 'Texture' : 'Surface'}Reference('${name}')`;
  if ((reason & 255) === Unreadable.WRONG_TYPE && element) {
    return `${get}.bind(…) with elements of ${element.parts} ${plain(element)}${element.readsFloats ? ' and normalizedReads' : ''}`;
  }
  return `${get}.bind(${kind === 'texture' ? 'array or memory, options' : 'array'}) before the launch`;
}

/** `float4`, `2 u8, read as floats` */
function declaredAs(element: ReferenceElement): string {
  return `${element.parts} ${plain(element)}${element.readsFloats ? ', read as floats' : ''}`;
}

function plain({ number, partBytes }: ReferenceElement): string {
  return `${number}${8 * partBytes}`;
}
