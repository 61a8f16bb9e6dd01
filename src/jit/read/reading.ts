import type * as Acorn from 'acorn';
import type { StructLayout } from '../../core/struct.ts';
import type { Expression, Span, Variable } from '../tree.ts';

/** What a name stands for that is no variable: a constant, a list or a set of them, or a function for the device. */
export type ConstantValue =
  | number
  | bigint
  | boolean
  | string
  | DeviceText
  | StructLayout
  | ArrayBufferView
  | readonly ConstantValue[]
  | ConstantSet;

/** Constants by name. */
export interface ConstantSet {
  readonly [name: string]: ConstantValue;
}

/** The key of what is known of a device function. */
export const DEVICE: unique symbol = Symbol.for('rawkernel.jit.device');

/** A function for the device, which has a text of its own for the types of each call. */
export interface DeviceText {
  /** @internal */
  readonly [DEVICE]: unknown;
}

export function isDeviceText(value: unknown): value is DeviceText {
  return typeof value === 'function' && DEVICE in value;
}

/** What a part of the reader asks of the whole. */
export interface Reading {
  /** Whether indices and lengths have 64 bits. */
  readonly isWide: boolean;
  expression(node: Acorn.Node): Expression;
  /** What a name stands for, or undefined where it is not declared. */
  lookup(name: string): Variable | { readonly constant: ConstantValue } | undefined;
  /** An array of constants as a variable of the function. */
  constantArray(value: ArrayBufferView | readonly ConstantValue[], span: Span): Expression;
  /** A variable of the reader's own, for something that is computed once and used more often. */
  made(name: string, span: Span, isHoisted: boolean): Variable;
  callDevice(device: DeviceText, args: readonly Expression[], span: Span): Expression;
  readonly fail: (span: Span, reason: string) => never;
  /** The text of a place, as it is written. */
  textOf(span: Span): string;
}

/** The failures of a text. */
export type Fail = Reading['fail'];

export function spanOf({ start, end }: Span): Span {
  return { start, end };
}
