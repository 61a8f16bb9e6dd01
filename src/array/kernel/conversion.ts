import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { registerType } from './dialect.ts';

/**
 * The text that makes an element of one dtype of one of another: fractions are cut off, what an integer cannot hold of a float
 * ends at its limits, integers wrap around.
 *
 * @param text - a name, which may stand twice
 */
export function conversion(text: string, from: ArrayDType, to: ArrayDType): string {
  const [one, other] = [registerType(from) as ArrayDType, registerType(to) as ArrayDType];
  if (one === other) return text;
  const { kind, part } = arrayDTypes[one];
  const target = arrayDTypes[other];
  if (target.kind === 'bool') return kind === 'complex' ? `(${text}.x != 0 || ${text}.y != 0)` : `(${text} != 0)`;
  if (target.kind === 'complex') {
    const [re, im] = kind === 'complex' ? [`${text}.x`, `${text}.y`] : [text, '0'];
    return `${other.toUpperCase()}((${target.part})${re}, (${target.part})${im})`;
  }
  if (kind === 'complex') return conversion(`${text}.x`, part, to);
  if (kind === 'float' && target.kind !== 'float') return `${one}_to_int_${other}(${text})`;
  // Rounded to f32 and then once more, a number near the middle of two halves would end at the wrong one.
  if (one === 'f64' && other !== to) return `f64_to_f32_odd(${text})`;
  return `(${other})${text}`;
}

/** The text that reads an element of memory as it is computed with. */
export function load(dtype: ArrayDType, memory: string, at: string): string {
  const element = `${memory}[${at}]`;
  if (dtype === 'bool') return `(${element} != 0)`;
  return dtype === 'f16' || dtype === 'bf16' ? `${dtype}_to_f32(${element})` : element;
}

/** The text of an element as memory has it. */
export function stored(dtype: ArrayDType, text: string): string {
  if (dtype === 'bool') return `(u8)${text}`;
  return dtype === 'f16' || dtype === 'bf16' ? `f32_to_${dtype}(${text})` : text;
}
