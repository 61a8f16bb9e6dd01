import { nameOf } from '../../core/check.ts';
import type { StructTypes } from '../../core/struct.ts';
import { arrayDTypes } from '../dtype.ts';
import { elementNamed, type Element, type Extent, type Language } from './element.ts';

/** The type of what a kernel computes with. */
export interface ItemElement {
  readonly dtype: Element['dtype'];
  readonly type: Readonly<Record<Language, string>>;
  readonly extent: Readonly<Record<Language, Extent | undefined>>;
}

/**
 * What kernels compute with, by its name: a dtype, a type in C, a struct.
 *
 * @throws TypeError no such type, or half floats
 */
export function itemElement(name: unknown, types: StructTypes | undefined, what: string): ItemElement {
  const element = typeof name === 'string' ? elementNamed(name.trim(), types) : undefined;
  if (element === undefined) {
    throw new TypeError(
      `${what}: the dtype must be one of ${Object.keys(arrayDTypes).join(', ')}, a type in C, or a struct of the option types, got ${nameOf(name)}`,
    );
  }
  const { dtype, text } = element;
  if (dtype === 'f16' || dtype === 'bf16') {
    throw new TypeError(`${what}: the dtype must be one that kernels compute in, got ${dtype}; write f32`);
  }
  if (typeof dtype === 'object') return { dtype, type: text, extent: dtype.extent };
  const { size } = arrayDTypes[dtype];
  const extent = { byteLength: size, alignment: size };
  return { dtype, type: text, extent: { cuda: extent, opencl: extent } };
}
