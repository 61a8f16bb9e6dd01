import type { ElementUse, Expression, Variable, View } from '../tree.ts';
import { isWide, type ArrayType } from '../kernel-type.ts';
import type { Site } from './js-program.ts';

/** What the text of an element is made with. */
export interface ArrayWriter {
  text(expression: Expression): string;
  site(span: Expression, more: Pick<Site, 'array' | 'access'>): number;
  name(variable: Variable): string;
}

/** Whether an array is a typed array of JavaScript; others bring their shape and strides. */
export function isPlain(type: ArrayType): boolean {
  return type.rank === 1 && type.isFlat;
}

/** An index as a number of JavaScript. */
function indexText(writer: ArrayWriter, index: Expression): string {
  const text = writer.text(index);
  return isWide(index.type) ? `Number(${text})` : text;
}

function nameOf(array: Expression): string | undefined {
  if (array.kind === 'view') return nameOf(array.array);
  return array.kind === 'variable' ? array.variable.name : undefined;
}

/** The typed array that an element is in, and its place there, which is looked at before. */
export function jsPlace(writer: ArrayWriter, use: ElementUse, access: Site['access']): { data: string; index: string } {
  const { array, indices } = use;
  const site = writer.site(use, { array: nameOf(array), access });
  const text = writer.text(array);
  const places = indices.map((index) => indexText(writer, index));
  if (isPlain(array.type as ArrayType)) {
    return { data: text, index: `$m.at(${text}.length, ${places.join(', ')}, ${site})` };
  }
  return { data: `${text}.data`, index: `$m.at${indices.length}(${text}, ${places.join(', ')}, ${site})` };
}

/** The value of what an array stores. */
export function jsLoad(stored: string, { element }: ArrayType): string {
  if (element === 'bool') return `(${stored} !== 0)`;
  return element === 'f16' || element === 'bf16' ? `$m.${element}.load(${stored})` : stored;
}

/** What an array stores of a value. */
export function jsStored(value: string, { element }: ArrayType): string {
  if (element === 'bool') return `(${value} ? 1 : 0)`;
  return element === 'f16' || element === 'bf16' ? `$m.${element}.store(${value})` : value;
}

/** A part of an array: a typed array where its elements follow each other in one row. */
export function jsView(writer: ArrayWriter, view: View): string {
  const { array, indices, type } = view;
  const site = writer.site(view, { array: nameOf(array), access: 'read' });
  const places = indices.map((index) => indexText(writer, index)).join(', ');
  return `$m.${isPlain(type) ? 'row' : 'part'}(${writer.text(array)}, [${places}], ${site})`;
}

export function jsExtent(writer: ArrayWriter, { array, axis, type }: Extract<Expression, { kind: 'extent' }>): string {
  const text = writer.text(array);
  const length = isPlain(array.type as ArrayType)
    ? `${text}.length`
    : axis === 'size'
      ? `${text}.size`
      : `${text}.shape${axis}`;
  return isWide(type) ? `BigInt(${length})` : length;
}
