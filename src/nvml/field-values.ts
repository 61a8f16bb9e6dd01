import { checkInteger, nameOf } from '../core/check.ts';
import type { RawDevice } from './answer.ts';
import { nv } from './call.ts';
import { isAbsent, nvmlError, statusName } from './errors.ts';
import { nameIn, type NamesOf } from './names.ts';
import { ValueType } from './sys/enums.ts';
import { structs } from './sys/structs.ts';

/** A value that is asked for by its number. */
export interface FieldValue {
  readonly fieldId: number;
  /** What it is of, such as the number of an NVLink; 0 for the device. */
  readonly scopeId: number;
  /** Exact up to 2^53; the unit is the field's own. */
  readonly value: number;
  /** How NVML holds it. */
  readonly type: NamesOf<typeof ValueType> | 'unknown';
  /** When it was read, in microseconds since 1970. */
  readonly timestampUs: number;
}

/** A value that has no answer. */
export interface AbsentFieldValue {
  readonly fieldId: number;
  readonly scopeId: number;
  readonly value: undefined;
  /** Why: `'NVML_ERROR_NOT_SUPPORTED'`. */
  readonly code: string;
}

/** What to ask for: a number such as `FieldId.MEMORY_TEMP`, or one and what it is of. */
export type FieldQuery = number | { readonly fieldId: number; readonly scopeId: number };

const { size, fields } = structs.nvmlFieldValue_t;
const NO_VALUE = 0xffff_ffff;
/**
 * Records behind those that are asked for. Driver 580 writes there when it is asked what a single NVLink carried: the heap of
 * a C program that has no room behind them breaks too.
 */
const SPARE = 64;

/** The values of several fields, asked for at once. */
export function fieldValuesOf(device: RawDevice, queries: readonly FieldQuery[]): (FieldValue | AbsentFieldValue)[] {
  try {
    return ask(device, queries).map(({ status, ...rest }) => {
      const { fieldId, scopeId } = rest;
      return status === 0 ? rest : { fieldId, scopeId, value: undefined, code: statusName(status) };
    });
  } catch (error) {
    // The call as a whole may fail where none of the fields has an answer.
    if (!isAbsent(error)) throw error;
    return Array.from(queries, (query) => ({ ...readQuery(query), value: undefined, code: error.code }));
  }
}

/** The value of one field. */
export function fieldValueOf(device: RawDevice, fieldId: number, scopeId = 0): FieldValue {
  const [first] = ask(device, [{ fieldId, scopeId }]);
  const { status, ...rest } = first ?? {
    status: NO_VALUE,
    fieldId,
    scopeId,
    value: 0,
    type: 'unknown',
    timestampUs: 0,
  };
  if (status === 0) return rest;
  const facts = { field: String(fieldId), scope: String(scopeId) };
  throw nvmlError('nvmlDeviceGetFieldValues', status, { facts });
}

function ask(device: RawDevice, queries: readonly FieldQuery[]): (FieldValue & { readonly status: number })[] {
  if (!(Array.isArray as (value: unknown) => boolean)(queries))
    throw new TypeError(`fieldValues takes an array of fields, got ${nameOf(queries)}`);
  if (queries.length === 0) return [];
  const buffer = new ArrayBuffer((queries.length + SPARE) * size);
  const views = Array.from(queries, (query, i) => {
    const view = new DataView(buffer, i * size, size);
    const { fieldId, scopeId } = readQuery(query);
    view.setUint32(fields.fieldId, checkInteger(fieldId, 'A field', 0, NO_VALUE), true);
    view.setUint32(fields.scopeId, checkInteger(scopeId, 'The scope of a field', 0, NO_VALUE), true);
    return view;
  });
  nv.nvmlDeviceGetFieldValues(device, queries.length, buffer);
  return views.map((view) => {
    const type = view.getUint32(fields.valueType, true);
    return {
      fieldId: view.getUint32(fields.fieldId, true),
      scopeId: view.getUint32(fields.scopeId, true),
      value: readValue(view, fields.value, type),
      type: nameIn(ValueType, type),
      timestampUs: Number(view.getBigInt64(fields.timestamp, true)),
      status: view.getInt32(fields.nvmlReturn, true),
    };
  });
}

function readQuery(query: FieldQuery): { readonly fieldId: number; readonly scopeId: number } {
  if (typeof query === 'number') return { fieldId: query, scopeId: 0 };
  if (typeof query === 'object' && (query as unknown) !== null) {
    const { fieldId, scopeId } = query;
    return { fieldId, scopeId };
  }
  throw new TypeError(`A field must be a number or { fieldId, scopeId }, got ${nameOf(query)}`);
}

const LONG_BYTES = process.platform === 'win32' ? 4 : 8;

/** A nvmlValue_t: eight bytes that are one of several types. */
export function readValue(view: DataView, offset: number, type: number): number {
  switch (type) {
    case ValueType.DOUBLE:
      return view.getFloat64(offset, true);
    case ValueType.UNSIGNED_INT:
      return view.getUint32(offset, true);
    case ValueType.UNSIGNED_LONG:
      return LONG_BYTES === 4 ? view.getUint32(offset, true) : Number(view.getBigUint64(offset, true));
    case ValueType.SIGNED_LONG_LONG:
      return Number(view.getBigInt64(offset, true));
    case ValueType.SIGNED_INT:
      return view.getInt32(offset, true);
    case ValueType.UNSIGNED_SHORT:
      return view.getUint16(offset, true);
    default:
      return Number(view.getBigUint64(offset, true));
  }
}
