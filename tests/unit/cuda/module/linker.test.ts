import { expect, test } from '@jest/globals';
import { Linker } from '../../../../src/cuda/module/linker.ts';
import { CompileError } from '../../../../src/cuda/errors.ts';
import { Program } from '../../../../src/cuda/module/program.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import type { NvJitLinkTable } from '../../../../src/cuda/libraries/nvjitlink/table.ts';
import { functions as nvJitLinkFunctions } from '../../../../src/cuda/libraries/nvjitlink/functions.ts';
import { addressOf, viewOf } from '../../../../src/ffi/memory.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { strictTable } from '../../../helpers/strict-table.ts';

const PTX = '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 a) { ret; }\n';
const fake = withFakeDriver();
const made = Buffer.from('the linked cubin');
let calls: unknown[][] = [];

/** A linker in the driver; `fail` names the routine that fails, with the log that it leaves. */
function driverLinker(fail?: string, log = '', status = 218): void {
  calls = [];
  let logAt = 0n;
  let live = 0;
  const answer = (name: string, ...args: unknown[]): number => {
    calls.push([name, ...args]);
    if (fail !== name) return 0;
    Buffer.from(viewOf(logAt, 1024)).write(`${log}\0`);
    return status;
  };
  useTables({
    driver: {
      ...fake.table,
      cuLinkCreate: (count, keys, values, out) => {
        const numbers = [...(keys as Int32Array)];
        logAt = (values as BigUint64Array)[numbers.indexOf(5)] ?? 0n;
        (out as BigUint64Array)[0] = 0x99n;
        live++;
        const rest = numbers.map((key, i) => [key, Number((values as BigUint64Array)[i])]).slice(4);
        return answer('cuLinkCreate', count - 4, Object.fromEntries(rest));
      },
      cuLinkAddData: (_state, type, _data, size, name) => answer('cuLinkAddData', type, Number(size), name),
      cuLinkComplete: (_state, code, size) => {
        (code as BigUint64Array)[0] = addressOf(made);
        (size as BigUint64Array)[0] = BigInt(made.length);
        return answer('cuLinkComplete');
      },
      cuLinkDestroy: () => {
        live--;
        return answer('cuLinkDestroy', live);
      },
    },
  });
}

/** An nvJitLink that notes its options and inputs; `fail` names the routine that fails. */
function jitLinker(fail?: string): void {
  calls = [];
  const log = Buffer.from('undefined symbol twice\0');
  const answer = (name: string, ...args: unknown[]): number => {
    calls.push([name, ...args]);
    return fail === name ? 3 : 0;
  };
  const put = (out: unknown, value: bigint): number => {
    (out as BigUint64Array)[0] = value;
    return 0;
  };
  const fill = (out: unknown, bytes: Uint8Array): number => {
    (out as Uint8Array).set(bytes);
    return 0;
  };
  const text = (address: bigint): string => {
    const bytes = Buffer.from(viewOf(address, 64));
    return bytes.toString('latin1', 0, bytes.indexOf(0));
  };
  const table = strictTable(
    nvJitLinkFunctions,
    {
      nvJitLinkCreate: (out: unknown, count: number, options: BigUint64Array) => {
        put(out, 0x55n);
        return answer('create', ...[...options.subarray(0, count)].map(text));
      },
      nvJitLinkDestroy: () => answer('destroy'),
      nvJitLinkAddData: (_handle: bigint, type: number, _data: unknown, _size: number, name: string) =>
        answer('add', type, name),
      nvJitLinkComplete: () => answer('complete'),
      nvJitLinkGetLinkedCubinSize: (_handle: bigint, out: unknown) => put(out, BigInt(made.length)),
      nvJitLinkGetLinkedCubin: (_handle: bigint, out: unknown) => fill(out, made),
      nvJitLinkGetErrorLogSize: (_handle: bigint, out: unknown) => put(out, BigInt(log.length)),
      nvJitLinkGetErrorLog: (_handle: bigint, out: unknown) => fill(out, log),
      nvJitLinkGetInfoLogSize: (_handle: bigint, out: unknown) => put(out, 0n),
    },
    'nvJitLink',
  ) as NvJitLinkTable;
  useTables({ nvJitLink: table, driver: fake.table });
}

const ptx = Program.fromBytes(PTX);
const lto = Program.fromBytes(new Uint8Array(16), 'ltoir');
const library = Program.fromBytes(new Uint8Array(8), 'library');

test('the driver links what was added, with its options and kinds, and its linker is destroyed', () => {
  driverLinker();
  const linked = new Linker({ maxRegisters: 32, lineInfo: true, target: 'sm_90a' })
    .add(ptx, 'a')
    .add(library, 'libx.a')
    .link();
  expect(Buffer.from(linked.code).toString()).toBe('the linked cubin');
  expect(linked).toMatchObject({ kind: 'cubin', arch: 'sm_90a', log: '' });
  expect(calls).toEqual([
    ['cuLinkCreate', 3, { 0: 32, 9: 0x1_0000 + 90, 13: 1 }],
    ['cuLinkAddData', 1, PTX.length + 1, 'a'],
    ['cuLinkAddData', 4, 8, 'libx.a'],
    ['cuLinkComplete'],
    ['cuLinkDestroy', 0],
  ]);
});

test.each(['cuLinkAddData', 'cuLinkComplete'])('a failure of %s has the log and the name', (routine) => {
  driverLinker(routine, 'error: undefined reference to twice');
  const link = (): Program => new Linker().add(ptx, 'main.ptx').link();
  expect(link).toThrow(CompileError);
  expect(link).toThrow(/^The driver could not link main\.ptx\nerror: undefined reference to twice/);
  expect(calls.at(-1)).toEqual(['cuLinkDestroy', 0]);
});

test('a failure that is not about the code is an error of the driver', () => {
  driverLinker('cuLinkComplete', '', 2);
  expect(() => new Linker().add(ptx).link()).toThrow(/^cuLinkComplete failed: CUDA_ERROR_OUT_OF_MEMORY/);
  driverLinker('cuLinkCreate', '', 801);
  expect(() => new Linker().add(ptx).link()).toThrow(/^cuLinkCreate failed: CUDA_ERROR_NOT_SUPPORTED/);
});

test('LTO IR goes to nvJitLink, with the options in its words', () => {
  jitLinker();
  const linked = new Linker({ target: 'sm_90', maxRegisters: 40, optimizationLevel: 4, verbose: true })
    .add(lto, 'a')
    .add(ptx, 'b')
    .link();
  expect(linked).toMatchObject({ kind: 'cubin', arch: 'sm_90' });
  expect(calls).toEqual([
    ['create', '-arch=sm_90', '-lto', '-maxrregcount=40', '-O3', '-verbose'],
    ['add', 3, 'a'],
    ['add', 2, 'b'],
    ['complete'],
    ['destroy'],
  ]);
});

test("nvJitLink's target is the current device's by default, and its own options are passed on", () => {
  jitLinker();
  new Linker({ backend: 'nvjitlink', options: ['-ftz=true'] }).add(ptx).link();
  expect(calls[0]).toEqual(['create', '-arch=sm_80', '-ftz=true']);
});

test.each(['create', 'add', 'complete'])('what nvJitLink says of a failed %s is in the error', (routine) => {
  jitLinker(routine);
  expect(() => new Linker({ target: 'sm_90' }).add(lto, 'a').link()).toThrow(
    /^nvJitLink could not link .*\nundefined symbol twice/,
  );
  expect(calls.at(-1)).toEqual(['destroy']);
});

test.each([
  ['nothing to link', () => new Linker().link(), RangeError],
  ['an unknown option', () => new Linker({ maxregisters: 3 } as never), TypeError],
  ['an unknown backend', () => new Linker({ backend: 'ld' as never }), TypeError],
  ['no program', () => new Linker().add('x' as never), TypeError],
  ['a number of registers that is none', () => new Linker({ maxRegisters: 1000 }).add(ptx).link(), RangeError],
  ['a target that is none', () => new Linker({ target: '90' }).add(ptx).link(), TypeError],
  ['LTO IR for the driver', () => new Linker({ backend: 'driver' }).add(lto).link(), TypeError],
  ["nvJitLink's options for the driver", () => new Linker({ options: ['-g'] }).add(ptx).link(), TypeError],
  [
    'a cache mode for nvJitLink',
    () => new Linker({ backend: 'nvjitlink', cacheMode: 'ca' }).add(ptx).link(),
    TypeError,
  ],
])('%s is refused', (_, call, error) => {
  jitLinker();
  expect(call).toThrow(error);
  expect(calls).toEqual([]);
});
