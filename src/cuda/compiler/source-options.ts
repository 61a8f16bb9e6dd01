import { checkInteger, nameOf } from '../../core/check.ts';
import type { StructTypes } from '../../core/struct.ts';

/** How a source is compiled. What has no option of its own here goes into `options`. */
export interface SourceOptions<Types extends StructTypes = StructTypes> {
  /**
   * Structs by their names in C, for the parameters that are structs: `{ Particle: struct({ x: 'f32', v: 'f32' }) }`. The type
   * checker then takes nothing else for a `Particle`.
   */
  readonly types?: Types;
  /** `'nvrtc'` (the default) needs nothing but its library; `'nvcc'` needs a toolkit and a host compiler. */
  readonly compiler?: 'nvrtc' | 'nvcc';
  /** Options for the compiler, as on its command line: `'-DTILE=16'`, `'--use_fast_math'`. They come last. */
  readonly options?: readonly string[];
  /** Folders for `#include`. */
  readonly includeDirs?: readonly string[];
  /** `'sm_90'` for machine code, `'compute_90'` for PTX; the current device's by default. */
  readonly arch?: string;
  /** Template instances to make: `['scale<float>']`. Others are made when they are first asked for. */
  readonly nameExpressions?: readonly string[];
  /** The source's name in messages; `kernel.cu` by default. */
  readonly fileName?: string;
  /** Use the disk cache; on by default. */
  readonly cache?: boolean;
  /**
   * How long the compilation may take, in milliseconds; 0: without a limit. Default: `RAWKERNEL_COMPILE_TIMEOUT_MS`, else
   * five minutes. A call that blocks can be ended on the embedded device and with nvcc, not with NVRTC.
   */
  readonly timeoutMs?: number;
  /** Aborting it ends a compilation that does not block; its promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;

  /** The language: `'c++17'` by default. */
  readonly std?: string;
  /** Macros: `{ TILE: 16, DEBUG: true }`. `true` defines one as 1, `false` leaves it out. */
  readonly defines?: Readonly<Record<string, string | number | boolean>>;
  /** Macros that the compiler is not to define. */
  readonly undefines?: readonly string[];
  /** Headers to include before the source. Such a build is not cached. */
  readonly preIncludes?: readonly string[];
  /** Functions and variables without an annotation are `__device__`. NVRTC's alone. */
  readonly deviceAsDefaultExecutionSpace?: boolean;
  /** Have `__int128`. NVRTC's alone: nvcc has it anyway. */
  readonly deviceInt128?: boolean;
  /** Leave textures, launches from kernels and the runtime's types out, to compile small sources sooner. NVRTC's alone. */
  readonly minimal?: boolean;

  /** Code for a debugger, not optimised. */
  readonly debugInfo?: boolean;
  /** Lines for a profiler. */
  readonly lineInfo?: boolean;
  /** Registers that a thread may use. */
  readonly maxRegisters?: number;
  /** Faster and less exact: `ftz`, no `precSqrt`, no `precDiv`, `fmad`, intrinsics for functions. */
  readonly useFastMath?: boolean;
  /** Flush denormal floats to zero. */
  readonly ftz?: boolean;
  /** Square roots of floats as IEEE 754 says; on by default. */
  readonly precSqrt?: boolean;
  /** Divisions of floats as IEEE 754 says; on by default. */
  readonly precDiv?: boolean;
  /** Multiply and add in one step; on by default. */
  readonly fmad?: boolean;
  /** Vectorise more eagerly. */
  readonly extraDeviceVectorization?: boolean;
  /** No two pointers of a kernel reach the same memory. */
  readonly restrict?: boolean;
  /** Options for the assembler: `['-v']`. */
  readonly ptxasOptions?: readonly string[];
  /** Threads for the compiler; 0: as many as there are. */
  readonly splitCompile?: number;

  /** Say no warnings. */
  readonly disableWarnings?: boolean;
  /** Diagnostics, by number, that are to be errors. */
  readonly diagError?: readonly number[];
  /** Diagnostics, by number, that are not to be said. */
  readonly diagSuppress?: readonly number[];
  /** Diagnostics, by number, that are to be warnings. */
  readonly diagWarn?: readonly number[];
  /** Append how long each phase took to this file, as comma-separated values; `'-'`: to the log. Not cached. */
  readonly time?: string;
  /** Write a flame graph of the compilation to this file, for Perfetto or Chrome. Not cached. */
  readonly fdeviceTimeTrace?: string;

  /** Make and use precompiled headers as NVRTC sees fit. This option and those below need NVRTC 12.8. */
  readonly pch?: boolean;
  /** Make this precompiled header. Such a build is not cached. */
  readonly createPch?: string;
  /** Use this precompiled header. Such a build is not cached. */
  readonly usePch?: string;
  /** The folder of precompiled headers. */
  readonly pchDir?: string;
  /** Have the log say why a precompiled header was not used; on by default. */
  readonly pchVerbose?: boolean;
  /** Have the log say that a precompiled header was made or used; on by default. */
  readonly pchMessages?: boolean;
  /** Instantiate templates before the header is written; on by default. */
  readonly instantiateTemplatesInPch?: boolean;
}

type Plain =
  | ('compiler' | 'options' | 'includeDirs' | 'arch' | 'nameExpressions' | 'fileName' | 'cache')
  | ('timeoutMs' | 'signal' | 'types');
type Encode = (value: unknown, name: string) => readonly string[];

const FLAGS: Readonly<Record<Exclude<keyof SourceOptions, Plain>, Encode>> = {
  std: text('--std'),
  defines: macros,
  undefines: each('--undefine-macro'),
  preIncludes: each('--pre-include'),
  deviceAsDefaultExecutionSpace: present('--device-as-default-execution-space'),
  deviceInt128: present('--device-int128'),
  minimal: present('--minimal'),
  debugInfo: present('--device-debug'),
  lineInfo: present('--generate-line-info'),
  maxRegisters: integer('--maxrregcount', 1, 255),
  useFastMath: present('--use_fast_math'),
  ftz: truth('--ftz'),
  precSqrt: truth('--prec-sqrt'),
  precDiv: truth('--prec-div'),
  fmad: truth('--fmad'),
  extraDeviceVectorization: present('--extra-device-vectorization'),
  restrict: present('--restrict'),
  ptxasOptions: each('--ptxas-options'),
  splitCompile: integer('--split-compile', 0, 1024),
  disableWarnings: present('--disable-warnings'),
  diagError: numbers('--diag-error'),
  diagSuppress: numbers('--diag-suppress'),
  diagWarn: numbers('--diag-warn'),
  time: text('--time'),
  fdeviceTimeTrace: text('--fdevice-time-trace'),
  pch: present('--pch'),
  createPch: text('--create-pch'),
  usePch: text('--use-pch'),
  pchDir: text('--pch-dir'),
  pchVerbose: truth('--pch-verbose'),
  pchMessages: truth('--pch-messages'),
  instantiateTemplatesInPch: truth('--instantiate-templates-in-pch'),
};
const NVRTC_ONLY: readonly (keyof typeof FLAGS)[] = [
  'deviceAsDefaultExecutionSpace',
  'deviceInt128',
  'minimal',
  'pch',
  'createPch',
  'usePch',
  'pchDir',
  'pchVerbose',
  'pchMessages',
  'instantiateTemplatesInPch',
];

/** The names of {@link SourceOptions}. */
export const SOURCE_OPTIONS: readonly string[] = [
  'compiler',
  'options',
  'includeDirs',
  'arch',
  'nameExpressions',
  'fileName',
  'cache',
  'timeoutMs',
  'signal',
  'types',
  ...Object.keys(FLAGS),
];

/**
 * The compiler's options for those that have a name of their own.
 *
 * @throws TypeError a value is of the wrong kind, or nvcc has no such option
 * @throws RangeError a number is out of range
 */
export function flagsOf(options: SourceOptions, nvcc: boolean): string[] {
  return Object.entries(FLAGS).flatMap(([key, encode]) => {
    const name = key as keyof typeof FLAGS;
    const value = options[name];
    if (value === undefined) return [];
    if (nvcc && NVRTC_ONLY.includes(name)) throw new TypeError(`${name} is NVRTC's: leave compiler: 'nvcc' out`);
    return encode(value, name);
  });
}

/** An array of strings, which the compiler can be given. */
export function textList(value: unknown, what: string): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new TypeError(`${what} must be an array of strings, got ${nameOf(value)}`);
  for (const item of value as readonly unknown[]) {
    if (typeof item !== 'string') throw new TypeError(`${what} must hold strings, got ${nameOf(item)}`);
    if (item.includes('\0')) throw new TypeError(`${what} must not contain a NUL character`);
  }
  return value as readonly string[];
}

function boolean(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new TypeError(`${name} must be true or false, got ${nameOf(value)}`);
}

function present(flag: string): Encode {
  return (value, name) => (boolean(value, name) ? [flag] : []);
}

function truth(flag: string): Encode {
  return (value, name) => [`${flag}=${boolean(value, name)}`];
}

function integer(flag: string, min: number, max: number): Encode {
  return (value, name) => [`${flag}=${checkInteger(value, name, min, max)}`];
}

function text(flag: string): Encode {
  return (value, name) => {
    if (typeof value === 'string' && value !== '' && !value.includes('\0')) return [`${flag}=${value}`];
    throw new TypeError(`${name} must be a string that is not empty and has no NUL, got ${nameOf(value)}`);
  };
}

function each(flag: string): Encode {
  return (value, name) => textList(value, name).map((item) => `${flag}=${item}`);
}

function numbers(flag: string): Encode {
  return (value, name) => {
    if (!Array.isArray(value)) throw new TypeError(`${name} must be an array of numbers, got ${nameOf(value)}`);
    const list = Array.from(value as readonly unknown[], (item) => checkInteger(item, name, 1, 1e6));
    return list.length === 0 ? [] : [`${flag}=${list.join(',')}`];
  };
}

function macros(value: unknown, name: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${name} must be an object: { TILE: 16 }, got ${nameOf(value)}`);
  }
  return Object.entries(value as Readonly<Record<string, unknown>>).flatMap(([macro, body]) => {
    if (!/^[A-Za-z_]\w*(?:\([\w\s,.]*\))?$/.test(macro))
      throw new TypeError(`${name}: '${macro}' is not a macro's name`);
    if (typeof body === 'boolean') return body ? [`--define-macro=${macro}`] : [];
    if (typeof body !== 'string' && typeof body !== 'number') {
      throw new TypeError(`${name}.${macro} must be a string, a number or a boolean, got ${nameOf(body)}`);
    }
    if (/[\0\n\r]/.test(String(body))) throw new TypeError(`${name}.${macro} must be one line without NUL`);
    return [`--define-macro=${macro}=${body}`];
  });
}
