import type { OpenCLArgument, WorkGroupSize } from '../../abi/program.ts';
import { vectorOf } from './built-in.ts';
import type { Metadata } from './metadata.ts';

/** Clang's metadata of a kernel. */
export interface KernelFacts {
  readonly arguments: readonly OpenCLArgument[];
  readonly requiredSize: WorkGroupSize | undefined;
  readonly sizeHint: WorkGroupSize | undefined;
  readonly attributes: string;
  /** Of its definition. */
  readonly line: number;
}

// Numbers that clang gives to address spaces for every target.
const SPACES = ['private', 'global', 'constant', 'local'] as const;
const ACCESSES = ['none', 'read_only', 'write_only', 'read_write'] as const;
const QUALIFIERS = ['const', 'restrict', 'volatile', 'pipe'] as const;
const INTEGERS: Readonly<Record<string, string>> = { i8: 'char', i16: 'short', i32: 'int', i64: 'long' };

/** Read the metadata that a kernel's definition refers to. */
export function kernelFacts(head: string, metadata: Metadata): KernelFacts {
  const node = (name: string): number | undefined => {
    const found = new RegExp(` !${name} !(\\d+)`).exec(head)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const texts = (name: string): string[] => metadata.texts(node(name));
  const names = texts('kernel_arg_name');
  const types = texts('kernel_arg_type');
  const bases = texts('kernel_arg_base_type');
  const accesses = texts('kernel_arg_access_qual');
  const qualifiers = texts('kernel_arg_type_qual');
  const list = metadata.numbers(node('kernel_arg_addr_space')).map((number, i) => {
    const space = SPACES[number] ?? 'private';
    const words = (qualifiers[i] ?? '').split(' ');
    return {
      name: names[i] ?? '',
      typeName: types[i] ?? '',
      space,
      access: ACCESSES.find((access) => access === accesses[i]) ?? 'none',
      qualifiers: QUALIFIERS.filter((qualifier) => words.includes(qualifier)),
      kind: kindOf(space, bases[i] ?? ''),
    } satisfies OpenCLArgument;
  });
  const size = (name: string): WorkGroupSize | undefined => {
    const [x, y, z] = metadata.numbers(node(name));
    return x === undefined ? undefined : [x, y ?? 1, z ?? 1];
  };
  const requiredSize = size('reqd_work_group_size');
  const sizeHint = size('work_group_size_hint');
  const hint = vectorHint(metadata, node('vec_type_hint'));
  const attributes = [
    ...(requiredSize ? [`reqd_work_group_size(${requiredSize.join(',')})`] : []),
    ...(sizeHint ? [`work_group_size_hint(${sizeHint.join(',')})`] : []),
    ...(hint === undefined ? [] : [`vec_type_hint(${hint})`]),
  ];
  return {
    arguments: list,
    requiredSize,
    sizeHint,
    attributes: attributes.join(' '),
    line: metadata.line(node('dbg')),
  };
}

function kindOf(space: OpenCLArgument['space'], base: string): OpenCLArgument['kind'] {
  if (/^image\w*_t$/.test(base)) return 'image';
  if (base === 'sampler_t') return 'sampler';
  if (space === 'local') return 'local';
  return space === 'private' ? 'value' : 'buffer';
}

function vectorHint(metadata: Metadata, node: number | undefined): string | undefined {
  const type = metadata.type(node);
  if (type === undefined) return undefined;
  const vector = vectorOf(type);
  const element = vector?.element ?? type;
  const [signed = 1] = metadata.numbers(node).slice(-1);
  const integer = INTEGERS[element];
  const name = integer === undefined ? element : `${signed === 0 ? 'u' : ''}${integer}`;
  return `${name}${vector?.count ?? ''}`;
}
