import { readFileSync } from 'node:fs';
import { LibraryNotFoundError } from '../../core/errors.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import { hostBytes, type HostMemory } from '../../core/host-memory.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { addressOf } from '../../ffi/memory.ts';
import { currentCapability } from '../device/current-capability.ts';
import { CompileError } from '../errors.ts';
import { nvvmCalls, NvvmError } from '../libraries/nvvm/calls.ts';
import { libdevicePath } from '../toolkit.ts';
import { textList } from './source-options.ts';
import { take } from '../../ffi/slot.ts';

/** A module of NVVM IR: text, or bitcode. */
export type NvvmModule = string | HostMemory;

/** How NVVM IR is compiled. */
export interface NvvmOptions {
  /** `'compute_90'`; the current device's by default. */
  readonly arch?: string;
  /** The output: PTX, or LTO IR, which nvJitLink links and optimises. */
  readonly output?: 'code' | 'ltoir';
  /** The modules' name in messages; `kernel.ll` by default. */
  readonly name?: string;
  /** Bitcode of which only that is taken which the modules use. */
  readonly lazyModules?: readonly HostMemory[];
  /** Take the mathematical functions, `__nv_sinf` and the others, from the toolkit's libdevice. */
  readonly libdevice?: boolean;
  /** Optimise; on by default. */
  readonly optimize?: boolean;
  /** Code for a debugger, from the modules' debug metadata; goes with `optimize: false`. */
  readonly debugInfo?: boolean;
  /** Flush denormal floats to zero. */
  readonly ftz?: boolean;
  /** Square roots of floats as IEEE 754 says; on by default. */
  readonly precSqrt?: boolean;
  /** Divisions of floats as IEEE 754 says; on by default. */
  readonly precDiv?: boolean;
  /** Multiply and add in one step; on by default. */
  readonly fmad?: boolean;
  /** Options for libNVVM, as in its documentation: `'-jump-table-density=50'`. They come last. */
  readonly options?: readonly string[];
}

/** What libNVVM made. */
export interface CompiledNvvm {
  readonly kind: 'ptx' | 'ltoir';
  readonly code: Uint8Array;
  readonly arch: string;
  readonly log: string;
}

type NvvmProgram = Opaque<'nvvmProgram'>;

/** The switches that are 0 or 1 for libNVVM. */
const SWITCHES = { ftz: '-ftz', precSqrt: '-prec-sqrt', precDiv: '-prec-div', fmad: '-fma' } as const;
const BOOLEANS = ['libdevice', 'optimize', 'debugInfo', ...Object.keys(SWITCHES)];
const KNOWN = ['arch', 'output', 'name', 'lazyModules', 'options', ...BOOLEANS];
const programSlot = nvvmCalls.slotOf('nvvmProgram');
const sizeSlot = nvvmCalls.slotOf('size_t');

/** Verify the modules, put them together and compile them. Host: blocks. */
export function compileNvvm(ir: NvvmModule | readonly NvvmModule[], options: NvvmOptions): CompiledNvvm {
  checkNvvmOptions(options);
  const { name = 'kernel.ll', output = 'code', lazyModules = [] } = options;
  const modules = Array.from(Array.isArray(ir) ? (ir as readonly NvvmModule[]) : [ir as NvvmModule], moduleBytes);
  if (modules.length === 0) throw new RangeError('There is nothing to compile: give a module of NVVM IR');
  const lazy = Array.from(lazyModules, (module, i) => hostBytes(module, `lazyModules[${i}]`));
  const arch = options.arch ?? `compute_${currentCapability()}`;
  const flags = [`-arch=${arch}`, ...flagsOf(options)];
  const { calls, cleanup } = nvvmCalls;
  nvvmCalls.open();
  if (options.libdevice === true) lazy.push(readLibdevice());

  let program = 0n as NvvmProgram;
  const attempt = (what: string, call: () => void): void => {
    try {
      call();
    } catch (error) {
      if (!(error instanceof NvvmError)) throw error;
      throw new CompileError(`libNVVM could not ${what} ${name}`, {
        log: reasonOf(error, program),
        source: modules.map(({ text }) => text).join('\n'),
        file: name,
        options: flags,
        diagnostics: [],
      });
    }
  };
  try {
    attempt('begin with', () => {
      programSlot[0] = 0n;
      try {
        calls.nvvmCreateProgram(programSlot);
      } finally {
        // A call that fails may have made the program, which then has the log.
        program = take(programSlot);
      }
    });
    for (const { bytes } of modules) {
      attempt('read', () => calls.nvvmAddModuleToProgram(program, bytes, bytes.byteLength, name));
    }
    for (const bytes of lazy) {
      attempt('read what is linked to', () => calls.nvvmLazyAddModuleToProgram(program, bytes, bytes.byteLength, name));
    }
    const texts = flags.map((flag) => Buffer.from(`${flag}\0`));
    const pointers = BigUint64Array.from(texts, addressOf);
    attempt('verify', () => calls.nvvmVerifyProgram(program, texts.length, pointers));
    attempt('compile', () => calls.nvvmCompileProgram(program, texts.length, pointers));
    let code = new Uint8Array(1);
    attempt('give', () => {
      code = resultOf(program);
    });
    return { kind: output === 'ltoir' ? 'ltoir' : 'ptx', code, arch, log: logOf(program) };
  } finally {
    if (program !== 0n) {
      programSlot[0] = program;
      cleanup('nvvmDestroyProgram', programSlot);
    }
  }
}

function checkNvvmOptions(options: NvvmOptions): void {
  checkOptions(options, KNOWN, 'Program.fromNvvm');
  const { arch, output, name, lazyModules } = options as Readonly<Record<string, unknown>>;
  if (arch !== undefined && !(typeof arch === 'string' && /^compute_\d+[af]?$/.test(arch))) {
    throw new TypeError(`arch must be 'compute_NN': libNVVM makes PTX, got ${nameOf(arch)}`);
  }
  if (output !== undefined && output !== 'code' && output !== 'ltoir') {
    throw new TypeError(`output must be 'code' or 'ltoir', got ${nameOf(output)}`);
  }
  if (name !== undefined && (typeof name !== 'string' || name.includes('\0'))) {
    throw new TypeError(`name must be a string without NUL, got ${nameOf(name)}`);
  }
  if (lazyModules !== undefined && !Array.isArray(lazyModules)) {
    throw new TypeError(`lazyModules must be an array of bitcode, got ${nameOf(lazyModules)}`);
  }
  for (const key of BOOLEANS) {
    const value = options[key as keyof NvvmOptions];
    if (value !== undefined && typeof value !== 'boolean') {
      throw new TypeError(`${key} must be true or false, got ${nameOf(value)}`);
    }
  }
}

function flagsOf(options: NvvmOptions): string[] {
  const switches = Object.entries(SWITCHES).flatMap(([key, flag]) => {
    const value = options[key as keyof typeof SWITCHES];
    return value === undefined ? [] : [`${flag}=${value ? 1 : 0}`];
  });
  return [
    ...(options.optimize === undefined ? [] : [`-opt=${options.optimize ? 3 : 0}`]),
    ...(options.debugInfo === true ? ['-g'] : []),
    ...switches,
    ...(options.output === 'ltoir' ? ['-gen-lto'] : []),
    ...textList(options.options, 'options'),
  ];
}

function moduleBytes(module: NvvmModule): { bytes: Uint8Array; text: string } {
  if (typeof module !== 'string') return { bytes: hostBytes(module, 'NVVM IR'), text: '' };
  if (module.trim() === '') throw new RangeError('A module of NVVM IR is empty');
  return { bytes: new TextEncoder().encode(module), text: module };
}

function readLibdevice(): Uint8Array {
  const path = libdevicePath(nvvmCalls.path());
  if (path !== undefined) return readFileSync(path);
  throw new LibraryNotFoundError(
    'libdevice, the mathematical functions',
    ['no toolkit has nvvm/libdevice'],
    [
      'install the CUDA toolkit (https://developer.nvidia.com/cuda-downloads) and set CUDA_HOME to its folder',
      'or give its bytes: lazyModules: [readFileSync(path)]',
    ],
  );
}

function resultOf(program: NvvmProgram): Uint8Array<ArrayBuffer> {
  const { calls } = nvvmCalls;
  calls.nvvmGetCompiledResultSize(program, sizeSlot);
  const code = new Uint8Array(Math.max(1, Number(take(sizeSlot))));
  calls.nvvmGetCompiledResult(program, code);
  return code;
}

/** libNVVM's log; without one, the status. */
function reasonOf({ status, code }: NvvmError, program: NvvmProgram): string {
  const log = program === 0n ? '' : logOf(program);
  if (log !== '') return log;
  return nvvmCalls.statuses.has(status) ? code : `libNVVM answered ${status}`;
}

/** Empty where the log cannot be read: that is not a failure of the compilation. */
function logOf(program: NvvmProgram): string {
  const { attempt, slotOf } = nvvmCalls;
  const length = slotOf('size_t');
  if (attempt('nvvmGetProgramLogSize', program, length) !== 0 || take(length) === 0n) return '';
  const text = Buffer.alloc(Number(take(length)));
  return attempt('nvvmGetProgramLog', program, text) === 0 ? text.toString('utf8').replace(/\0.*$/s, '').trim() : '';
}
