import { nameOf } from '../../core/check.ts';
import type { StructLayout, StructTypes } from '../../core/struct.ts';
import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { elementNamed, type Element, type Extent, type Language } from './element.ts';

/** A dtype, a type's name in C, a struct of the option `types` or its name. */
export type ItemName = ArrayDType | StructLayout | (string & {});

/** The type of what a kernel computes with. */
export interface ItemElement {
  readonly dtype: Element['dtype'];
  /** The name by which parameters are declared. */
  readonly typeName: string;
  readonly type: Readonly<Record<Language, string>>;
  readonly extent: Readonly<Record<Language, Extent | undefined>>;
}

/**
 * What kernels compute with, by its name: a dtype, a type in C, a struct.
 *
 * @throws TypeError no such type, or half floats
 */
export function itemElement(given: unknown, types: StructTypes | undefined, what: string): ItemElement {
  const struct = Object.entries(types ?? {}).find(([, type]) => type === given)?.[0];
  const name = struct ?? given;
  const element = typeof name === 'string' ? elementNamed(name.trim(), types) : undefined;
  if (element === undefined) {
    throw new TypeError(
      `${what}: the dtype must be one of ${Object.keys(arrayDTypes).join(', ')}, a type in C, or a struct of the option types, got ${nameOf(given)}`,
    );
  }
  const { dtype, text } = element;
  if (dtype === 'f16' || dtype === 'bf16') {
    throw new TypeError(`${what}: the dtype must be one that kernels compute in, got ${dtype}; write f32`);
  }
  const typeName = String(name);
  if (typeof dtype === 'object') return { dtype, typeName, type: text, extent: dtype.extent };
  const { size } = arrayDTypes[dtype];
  const extent = { byteLength: size, alignment: size };
  return { dtype, typeName, type: text, extent: { cuda: extent, opencl: extent } };
}

/** The dtype of items that are numbers; undefined of structs. */
export function plainDType({ dtype }: ItemElement): ArrayDType | undefined {
  return typeof dtype === 'string' ? dtype : undefined;
}
