import { encodeProgram, type CpuKernel } from '../../src/cpu/abi/program.ts';
import { assembleText } from './wasm-text.ts';

const PARAMETERS = `(param $args i64) (param $first i32) (param $blocks i32)
  (param $dx i32) (param $dy i32) (param $dz i32) (param $gx i32) (param $gy i32) (param $gz i32)
  (param $context i64) (param $shared i64)`;

const word = (at: number): string => `(i64.load offset=${at} (i32.wrap_i64 (local.get $args)))`;
const address = (at: number): string => `(i32.wrap_i64 ${word(at)})`;

/** A block and a thread, as an assertion tells them. */
const INDEX = [1, 2, 3, 4, 5, -1].map((index) => `(i32.const ${index})`);

/** Kernels by name: what each takes, in words of 8 bytes, and what it does. */
const KERNELS: Readonly<Record<string, readonly [words: number, body: string]>> = {
  /** p[block * blockDim + thread] += n */
  add: [
    2,
    `(local $i i32) (local $end i32)
     (local.set $i (i32.mul (local.get $first) (local.get $dx)))
     (local.set $end (i32.add (local.get $i) (i32.mul (local.get $blocks) (local.get $dx))))
     (loop $next
       (drop (i32.atomic.rmw.add
         (i32.add ${address(0)} (i32.shl (local.get $i) (i32.const 2))) (i32.wrap_i64 ${word(8)})))
       (local.set $i (i32.add (local.get $i) (i32.const 1)))
       (br_if $next (i32.lt_u (local.get $i) (local.get $end))))`,
  ],
  /** The variable counter += the number of blocks; p[block] = 1 + the worker's own count of blocks */
  count: [
    1,
    `(drop (i32.atomic.rmw.add (i32.wrap_i64 (global.get $base)) (local.get $blocks)))
     (global.set $mine (i32.add (global.get $mine) (local.get $blocks)))
     (i32.store (i32.add ${address(0)} (i32.shl (local.get $first) (i32.const 2))) (global.get $mine))`,
  ],
  /** p[0] += 1, then wait until p[1] is not 0. */
  hold: [
    1,
    `(drop (i32.atomic.rmw.add ${address(0)} (i32.const 1)))
     (loop $again (br_if $again (i32.lt_u (i32.atomic.load offset=4 ${address(0)}) (i32.const 1))))`,
  ],
  /** Count down from n, then append *value to the list p, whose first word is its length. */
  append: [
    3,
    `(local $n i32) (local.set $n (i32.wrap_i64 ${word(16)}))
     (loop $again
       (local.set $n (i32.add (local.get $n) (i32.const -1)))
       (br_if $again (i32.lt_u (i32.const 0) (local.get $n))))
     (i32.store offset=4
       (i32.add ${address(0)} (i32.shl (i32.atomic.rmw.add ${address(0)} (i32.const 1)) (i32.const 2)))
       (i32.atomic.load ${address(8)}))`,
  ],
  forever: [0, '(loop $again (br $again))'],
  trap: [0, '(unreachable)'],
  wild: [0, '(i32.store (i32.const -16) (i32.const 1))'],
  misaligned: [1, `(drop (i32.atomic.rmw.add (i32.add ${address(0)} (i32.const 1)) (i32.const 1)))`],
  deep: [0, '(call $deeper (i32.const 0))'],
  /** printf(format, arguments) */
  say: [2, `(drop (call $printf ${word(0)} ${word(8)}))`],
  assertion: [1, `(call $assertion ${word(0)} ${word(0)} (i32.const 12) ${word(0)} ${INDEX.join(' ')})`],
  /** fault(kind, address), then p[0] = 1 */
  fault: [
    2,
    `(call $fault (i32.wrap_i64 ${word(0)}) ${word(8)} (i64.const 5) (i32.const 3))
     (i32.store ${address(8)} (i32.const 1))`,
  ],
  /** p[block] = an address of the heap, used and freed */
  heap: [
    1,
    `(local $block i64) (local.set $block (call $malloc (i64.const 100)))
     (i32.store (i32.wrap_i64 (local.get $block)) (local.get $first))
     (i64.store (i32.add ${address(0)} (i32.shl (local.get $first) (i32.const 3))) (local.get $block))
     (call $free (local.get $block))`,
  ],
  /** p[0 to 3] = context, dynamic shared memory, arguments, stack pointer */
  places: [
    1,
    `(i64.store offset=0 ${address(0)} (local.get $context)) (i64.store offset=8 ${address(0)} (local.get $shared))
     (i64.store offset=16 ${address(0)} (local.get $args)) (i64.store offset=24 ${address(0)} (global.get $stack))`,
  ],
};

const SOURCE = `(module
  (import "env" "memory" (memory 1 65536 shared))
  (import "env" "__memory_base" (global $base i64))
  (import "env" "__stack_pointer" (global $stack (mut i64)))
  (import "rt" "printf" (func $printf (param i64 i64) (result i32)))
  (import "rt" "assertion" (func $assertion (param i64 i64 i32 i64 i32 i32 i32 i32 i32 i32)))
  (import "rt" "fault" (func $fault (param i32 i64 i64 i32)))
  (import "rt" "malloc" (func $malloc (param i64) (result i64)))
  (import "rt" "free" (func $free (param i64)))
  (global $mine (mut i32) (i32.const 0))
  (global (export "counter") i64 (i64.const 0))
  (func $deeper (param i32)
    (call $deeper (i32.add (local.get 0) (i32.const 1))) (drop (i32.atomic.load (i32.const 65536))))
${Object.entries(KERNELS)
  .map(([name, [, body]]) => `  (func (export "run_${name}") ${PARAMETERS} ${body})`)
  .join('\n')})`;

const images = new Map<string, Uint8Array>();

/** A program for the CPU device that no compiler made: kernels in WebAssembly's text. */
export function cpuTestProgram(arch = 'sm_90'): Uint8Array {
  const image = images.get(arch) ?? build(arch);
  images.set(arch, image);
  return image;
}

function build(arch: string): Uint8Array {
  const wasm = withLink(assembleText(SOURCE));
  const kernels = Object.entries(KERNELS).map(([symbol, [words]]): CpuKernel => ({
    symbol,
    parameters: Array.from({ length: words }, (_, i) => ({ offset: 8 * i, size: 8, ptx: 'u64' })),
    argumentBytes: 8 * words,
    contextBytes: 16,
    contextFixed: 64,
    sharedBytes: 128,
    maxThreads: symbol === 'places' ? 128 : 1024,
    barriers: 0,
  }));
  const variables = [{ symbol: 'counter', byteLength: 4, constant: false }];
  return encodeProgram({
    wasm,
    kernels,
    variables,
    lowered: {},
    sites: [],
    arch,
    checked: false,
    source: '',
    file: 'test.cu',
  });
}

/** Put the section of a position independent module first: 64 bytes of memory, aligned to 2^4, no table. */
export function withLink(wasm: Uint8Array): Uint8Array {
  const name = new TextEncoder().encode('dylink.0');
  const content = [name.length, ...name, 1, 4, 64, 4, 0, 0];
  return Uint8Array.of(...wasm.subarray(0, 8), 0, content.length, ...content, ...wasm.subarray(8));
}
