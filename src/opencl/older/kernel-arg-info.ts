import { parseDeclarations, type Declaration, type Parameter } from '../../core/signature.ts';
import { bytesAt, type Pointer } from '../../ffi/pointer.ts';
import {
  KernelArgAccessQualifier,
  KernelArgAddressQualifier,
  KernelArgInfo,
  KernelArgTypeQualifier,
  KernelInfo,
  ProgramInfo,
  status,
} from '../sys/enums.ts';
import type { OpenCLTable } from '../sys/tables.ts';
import { textOf } from './text.ts';

const SUCCESS = status.CL_SUCCESS[0];
const NOT_AVAILABLE = status.CL_KERNEL_ARG_INFO_NOT_AVAILABLE[0];
const SPACES = {
  global: KernelArgAddressQualifier.GLOBAL,
  local: KernelArgAddressQualifier.LOCAL,
  constant: KernelArgAddressQualifier.CONSTANT,
  private: KernelArgAddressQualifier.PRIVATE,
} as const;
/** Types of the language that have no size. */
const OPAQUE = /^(?:image\w+_t|sampler_t|event_t)$/;

type Kernel = Parameters<OpenCLTable['clGetKernelArgInfo']>[0];

/** Answer queries of a kernel's parameters from its source. */
export function kernelArgInfo(cl: OpenCLTable): OpenCLTable['clGetKernelArgInfo'] {
  let read: { readonly source: string; readonly declarations: readonly Declaration[] } | undefined;
  return (kernel, index, param, rawSize, value, sizeOut) => {
    const count = new Uint32Array(1);
    const told = cl.clGetKernelInfo(kernel, KernelInfo.NUM_ARGS[0], 4, count, 0n);
    if (told !== SUCCESS) return told;
    if (index >= (count[0] ?? 0)) return status.CL_INVALID_ARG_INDEX[0];
    const source = sourceOf(cl, kernel);
    if (read?.source !== source) read = { source, declarations: parseDeclarations(source, 'opencl') };
    const name = textOf((...rest) => cl.clGetKernelInfo(kernel, KernelInfo.FUNCTION_NAME[0], ...rest));
    const found = read.declarations.findLast((declaration) => declaration.name === name)?.parameters ?? [];
    const parameter = found.length === count[0] ? found[index] : undefined;
    if (!parameter || (parameter.type.kind === 'named' && !OPAQUE.test(parameter.type.text))) return NOT_AVAILABLE;
    const bytes = answerOf(parameter, param, source);
    return bytes ? give(bytes, Number(rawSize), value, sizeOut) : status.CL_INVALID_VALUE[0];
  };
}

function answerOf({ name, type }: Parameter, param: number, source: string): Uint8Array | undefined {
  const isPointer = type.kind === 'pointer';
  switch (param) {
    case KernelArgInfo.NAME[0]:
      return encode(name ?? '');
    case KernelArgInfo.TYPE_NAME[0]:
      return encode(isPointer ? (type.element ?? '').replace(/^(?:(?:const|volatile) )+/, '') + '*' : type.text);
    case KernelArgInfo.ADDRESS_QUALIFIER[0]:
      return word(
        isPointer ? SPACES[type.space ?? 'private'] : type.text.startsWith('image') ? SPACES.global : SPACES.private,
      );
    case KernelArgInfo.ACCESS_QUALIFIER[0]:
      return word(type.text.startsWith('image') ? accessOf(name ?? '', source) : KernelArgAccessQualifier.NONE);
    case KernelArgInfo.TYPE_QUALIFIER[0]: {
      const words = isPointer ? (type.element ?? '') : '';
      const isConst = /\bconst\b/.test(words) || type.space === 'constant' ? KernelArgTypeQualifier.CONST : 0;
      return wide(isConst | (/\bvolatile\b/.test(words) ? KernelArgTypeQualifier.VOLATILE : 0));
    }
    default:
      return undefined;
  }
}

/** By default an image is read-only. */
function accessOf(name: string, source: string): number {
  const [, access] = new RegExp(`\\b(?:__)?(write_only|read_write)\\s+image\\w+\\s+${name}\\b`).exec(source) ?? [];
  if (access === 'write_only') return KernelArgAccessQualifier.WRITE_ONLY;
  return access === 'read_write' ? KernelArgAccessQualifier.READ_WRITE : KernelArgAccessQualifier.READ_ONLY;
}

function sourceOf(cl: OpenCLTable, kernel: Kernel): string {
  const program = new BigUint64Array(1);
  if (cl.clGetKernelInfo(kernel, KernelInfo.PROGRAM[0], 8, program, 0n) !== SUCCESS) return '';
  return textOf((...rest) => cl.clGetProgramInfo(program[0] as never, ProgramInfo.SOURCE[0], ...rest));
}

function give(bytes: Uint8Array, size: number, value: Pointer, sizeOut: Pointer): number {
  if (value !== 0n && size < bytes.length) return status.CL_INVALID_VALUE[0];
  if (value !== 0n) bytesAt(value, bytes.length).set(bytes);
  if (sizeOut !== 0n) bytesAt(sizeOut, 8).set(wide(bytes.length));
  return SUCCESS;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(`${text}\0`);
}

function word(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value).buffer);
}

function wide(value: number): Uint8Array {
  return new Uint8Array(BigUint64Array.of(BigInt(value)).buffer);
}
