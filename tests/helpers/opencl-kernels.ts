import type { OpenCLCompiler } from '../../src/cpu/opencl/compiler.ts';
import { LaunchRecord } from '../../src/cpu/abi/opencl-launch.ts';
import type { CompileAnswer } from '../../src/cpu/compiler/request.ts';
import type { OpenCLRequest } from '../../src/cpu/compiler/opencl/request.ts';
import type { CpuKernel, CpuProgram, OpenCLArgument, OpenCLKernel } from '../../src/cpu/abi/program.ts';
import { withLink } from './wasm-kernels.ts';
import { assembleText } from './wasm-text.ts';

const PARAMETERS = `(param $args i64) (param $first i32) (param $blocks i32)
  (param $dx i32) (param $dy i32) (param $dz i32) (param $gx i32) (param $gy i32) (param $gz i32)
  (param $context i64) (param $shared i64)`;

const word = (at: number): string => `(i64.load offset=${at} (i32.wrap_i64 (local.get $args)))`;
const address = (at: number): string => `(i32.wrap_i64 ${word(at)})`;

/** Bytes that `record` writes for each group: the record, and behind it first group, sizes and groups of the launch. */
export const RECORD_STRIDE = 144;

const PARTS = ['first', 'dx', 'dy', 'dz', 'gx', 'gy', 'gz'];

interface Source {
  /** `global int *a` in the manner of `kind type name`. */
  readonly parameters: readonly string[];
  readonly body: string;
  readonly facts?: Partial<OpenCLKernel>;
}

const KERNELS: Readonly<Record<string, Source>> = {
  /** a[group * local size + item] += n */
  add: {
    parameters: ['buffer int* a', 'value long n'],
    body: `(local $i i32) (local $end i32)
     (local.set $i (i32.mul (local.get $first) (local.get $dx)))
     (local.set $end (i32.add (local.get $i) (i32.mul (local.get $blocks) (local.get $dx))))
     (loop $next
       (drop (i32.atomic.rmw.add
         (i32.add ${address(0)} (i32.shl (local.get $i) (i32.const 2))) (i32.wrap_i64 ${word(8)})))
       (local.set $i (i32.add (local.get $i) (i32.const 1)))
       (br_if $next (i32.lt_u (local.get $i) (local.get $end))))`,
  },
  /** out[0] counts groups; behind it, in records of RECORD_STRIDE bytes, each writes what it was launched with. */
  record: {
    parameters: ['buffer ulong* out'],
    body: `(local $to i32)
     (local.set $to (i32.add ${address(0)} (i32.mul (i32.const ${RECORD_STRIDE})
       (i32.add (i32.const 1) (i32.atomic.rmw.add ${address(0)} (local.get $blocks))))))
     ${Array.from({ length: LaunchRecord.BYTES / 8 }, (_, i) => `(i64.store offset=${8 * i} (local.get $to) ${word(8 + 8 * i)})`).join('\n')}
     ${PARTS.map((part, i) => `(i32.store offset=${LaunchRecord.BYTES + 4 * i} (local.get $to) (local.get $${part}))`).join('\n')}`,
  },
  /** out[0 to 3] = where local memory is, where the two arguments are in it */
  places: {
    parameters: ['buffer ulong* out', 'local int* a', 'local char* b'],
    body: `(i64.store offset=0 ${address(0)} (local.get $shared))
     (i64.store offset=8 ${address(0)} ${word(8)}) (i64.store offset=16 ${address(0)} ${word(16)})`,
  },
  /** out[0 to 1] = what stands for an image and a sampler; out[2 to 9] = the image's record */
  look: {
    parameters: ['buffer ulong* out', 'image image2d_t image', 'sampler sampler_t sampler'],
    body: `(i64.store offset=0 ${address(0)} ${word(8)}) (i64.store offset=8 ${address(0)} ${word(16)})
     ${Array.from({ length: 8 }, (_, i) => `(i64.store offset=${16 + 8 * i} ${address(0)} (i64.load offset=${8 * i} ${address(8)}))`).join('\n')}`,
  },
  /** Run for so many nanoseconds. */
  spin: {
    parameters: ['value long time'],
    body: `(local $end i64) (local.set $end (i64.add (call $clock) ${word(0)}))
     (loop $again (br_if $again (i64.lt_s (call $clock) (local.get $end))))`,
  },
  /** flags[0] += 1, then wait until flags[1] is not 0. */
  hold: {
    parameters: ['buffer int* flags'],
    body: `(drop (i32.atomic.rmw.add ${address(0)} (i32.const 1)))
     (loop $again (br_if $again (i32.lt_u (i32.atomic.load offset=4 ${address(0)}) (i32.const 1))))`,
  },
  forever: { parameters: [], body: '(loop $again (br $again))' },
  trap: { parameters: [], body: '(unreachable)' },
  sized: {
    parameters: ['buffer int* a'],
    body: '',
    facts: { requiredSize: [4, 2, 1], attributes: 'reqd_work_group_size(4,2,1)' },
  },
};

const SOURCE = `(module
  (import "env" "memory" (memory 1 65536 shared))
  (import "env" "__memory_base" (global $base i64))
  (import "env" "__stack_pointer" (global $stack (mut i64)))
  (import "rt" "clock" (func $clock (result i64)))
${Object.entries(KERNELS)
  .map(([name, { body }]) => `  (func (export "run_${name}") ${PARAMETERS} ${body})`)
  .join('\n')})`;

let program: CpuProgram | undefined;

/** A program for the CPU device that no compiler made: OpenCL kernels in WebAssembly's text. */
export function openclTestProgram(): CpuProgram {
  return (program ??= build());
}

function build(): CpuProgram {
  const wasm = withLink(assembleText(SOURCE));
  const kernels = Object.entries(KERNELS).map(([symbol, { parameters, facts }]): CpuKernel => {
    const bytes = 8 * parameters.length;
    return {
      symbol,
      parameters: parameters.map((_, i) => ({ offset: 8 * i, size: 8, ptx: 'u64' })),
      argumentBytes: bytes + LaunchRecord.BYTES,
      contextBytes: 16,
      contextFixed: 64,
      sharedBytes: 128,
      maxThreads: symbol === 'sized' ? 8 : 1024,
      barriers: 0,
      opencl: {
        arguments: parameters.map(argumentOf),
        launchOffset: bytes,
        attributes: '',
        subGroupSize: 32,
        ...facts,
      },
    };
  });
  const [variables, sites, lowered] = [[], [], {}];
  return { wasm, kernels, variables, lowered, sites, arch: 'cl', checked: false, source: '', file: 'test.cl' };
}

function argumentOf(text: string): OpenCLArgument {
  const [kind = '', typeName = '', name = ''] = text.split(' ');
  return {
    name,
    typeName,
    space: kind === 'buffer' ? 'global' : kind === 'local' ? 'local' : 'private',
    access: kind === 'image' ? 'read_only' : 'none',
    qualifiers: [],
    kind: kind as OpenCLArgument['kind'],
  };
}

const OBJECT = 'RKCLO-01';

/** A compiler that knows one program: a source with `error` in it fails, any other becomes the program above. */
export function fakeOpenCLCompiler(): OpenCLCompiler & { readonly requests: OpenCLRequest[] } {
  const requests: OpenCLRequest[] = [];
  const compile = (request: OpenCLRequest): CompileAnswer => {
    requests.push(request);
    const { source, objects, result } = request;
    if (source.includes('crash')) throw new Error('the compiler has crashed');
    const texts = [source, ...objects.map((object) => new TextDecoder().decode(object))];
    if (texts.some((text) => text.includes('error'))) return { log: `<source>:1:1: error: ${source}` };
    if (result === 'object') return { object: new TextEncoder().encode(OBJECT + texts.join('')), log: '' };
    return { program: openclTestProgram(), log: source.includes('warning') ? '<source>:1:1: warning: a warning' : '' };
  };
  return {
    requests,
    version: () => 'test',
    available: () => true,
    extensions: ['cl_khr_fp64'],
    features: ['__opencl_c_fp64'],
    options: (text) => ({
      standard: /-cl-std=(\S+)/.exec(text)?.[1] ?? 'CL1.2',
      flags: text.split(' '),
      includes: [],
      library: text.includes('-create-library'),
      errors: /-no\S*/.test(text) ? [`error: unknown option ${/-no\S*/.exec(text)?.[0] ?? ''}`] : [],
    }),
    compile,
    compileLater: async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return compile(request);
    },
  };
}
