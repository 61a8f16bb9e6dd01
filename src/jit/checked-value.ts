import { dtypes } from '../core/dtype.ts';
import { Scalar } from '../core/value.ts';
import type { KernelType } from './kernel-type.ts';

/** A number, or a struct of numbers, that the type of a signature holds: on a device and in the simulator alike. */
export function checkedValue(given: unknown, type: KernelType, what: string): unknown {
  const value = given instanceof Scalar ? (given as Scalar).value : given;
  if (type.kind === 'struct') {
    const fields = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      type.fields.map(([name, field]) => [name, checkedValue(fields[name], field, `${what}.${name}`)]),
    );
  }
  if (type.kind !== 'scalar') return value;
  const { name } = type;
  if (name === 'bool') return Boolean(value);
  const number = typeof value === 'boolean' ? Number(value) : (value as number | bigint);
  return dtypes[name].kind === 'float' ? Number(number) : dtypes[name].check(number, what);
}
