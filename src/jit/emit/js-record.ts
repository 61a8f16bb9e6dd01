import type { ElementUse, Expression } from '../tree.ts';
import type { ArrayType, KernelType, ScalarName, StructType } from '../kernel-type.ts';
import { layoutOf } from '../struct-layout.ts';
import type { RecordFields } from '../simulate/record.ts';

/** An element of an array of structs, or a part of one. */
export interface RecordPlace {
  readonly element: ElementUse;
  /** Bytes of an element. */
  readonly size: number;
  /** Of the part in its element. */
  readonly offset: number;
  readonly type: KernelType;
}

/** Where a part of an array of structs is; undefined for another expression. */
export function recordPlace(expression: Expression): RecordPlace | undefined {
  if (expression.kind === 'element') {
    const { element } = expression.array.type as ArrayType;
    if (typeof element === 'string') return undefined;
    return { element: expression, size: layoutOf(element).size, offset: 0, type: element };
  }
  if (expression.kind !== 'field') return undefined;
  const whole = recordPlace(expression.object);
  if (whole === undefined) return undefined;
  const { fields } = whole.type as StructType;
  const i = fields.findIndex(([name]) => name === expression.name);
  const offset = layoutOf(whole.type).offsets[i] ?? 0;
  return { ...whole, offset: whole.offset + offset, type: fields[i]?.[1] as KernelType };
}

/** A struct's fields, as the simulator is told of them. */
export function recordFields(type: StructType): RecordFields {
  const { offsets } = layoutOf(type);
  return type.fields.map(([name, field], i) => [
    name,
    offsets[i] ?? 0,
    field.kind === 'struct' ? recordFields(field) : ((field as { readonly name: string }).name as ScalarName),
  ]);
}
