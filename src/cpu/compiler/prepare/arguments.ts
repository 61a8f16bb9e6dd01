import type { CpuParameter } from '../../abi/program.ts';
import type { IrParameter } from '../ir/module.ts';
import { roundUp } from '../ir/value-type.ts';

const SCALARS: Readonly<Record<string, string>> = {
  ptr: 'u64',
  i1: 'u8',
  i8: 'u8',
  i16: 'u16',
  i32: 'u32',
  i64: 'u64',
  float: 'f32',
  double: 'f64',
};

/** Where a kernel's parameters lie in its packed argument block. */
export function argumentLayout(parameters: readonly IrParameter[]): { arguments: CpuParameter[]; bytes: number } {
  let bytes = 0;
  const list = parameters.map(({ type, byval, size, align }) => {
    const offset = roundUp(bytes, align);
    bytes = offset + size;
    const scalar = byval === undefined ? SCALARS[type] : undefined;
    return { offset, size, ptx: scalar ?? `b8[${size}]` };
  });
  return { arguments: list, bytes };
}
