import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { compileOpenCLLater } from '../../../../src/cpu/compiler/client.ts';
import { decodeProgram, encodeProgram, type CpuProgram } from '../../../../src/cpu/abi/program.ts';
import { OpenCLBench } from './bench.ts';
import { COMPILE_MS, requestOf } from './compile.ts';

const SOURCE = readFileSync(new URL('./kernels.cl', import.meta.url), 'utf8');

let program: CpuProgram;
let bench: OpenCLBench;
beforeAll(async () => {
  const answer = await compileOpenCLLater(requestOf(SOURCE, '-cl-std=CL3.0'));
  if (!answer.program) throw new Error(answer.log);
  program = answer.program;
  bench = new OpenCLBench(program);
}, COMPILE_MS);

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

test('local memory of both kinds, structs by value and barriers in functions', () => {
  const input = Float32Array.from(upTo(128), (i) => i * 3);
  const output = new Float32Array(128);
  const pair = new Uint8Array(16);
  const view = new DataView(pair.buffer);
  view.setFloat32(0, 5, true);
  view.setInt32(12, 7, true);
  bench.run('mixed', { global: [128], local: [64] }, [input, output, { local: 256 }, pair, { local: 256 }]);
  const wanted = upTo(128).map((i) => {
    const other = 3 * ((i & 64) + 63 - (i & 63));
    return other + 2 * other + (i % 3) + 1 + 5 + 7 + 63 - (i & 63);
  });
  expect([...output]).toEqual(wanted);
});

test('a variable of the program keeps its value from launch to launch; a kernel calls another one', () => {
  const one = new Int32Array(1);
  const two = new Int32Array(2);
  bench.run('count', { global: [1], local: [1] }, [one]);
  bench.run('twice', { global: [1], local: [1] }, [two]);
  expect([...two]).toEqual([(one[0] ?? 0) + 1, (one[0] ?? 0) + 2]);
});

test('printf prints scalars and vectors', () => {
  bench.printed = '';
  bench.run('print', { global: [1], local: [1] }, [Float32Array.of(1, -2, 0.25, 1e6)]);
  expect(bench.printed).toBe('42 text 1.0,-2.0,0.2,1000000.0 1,-2,3,4|1099511627776,-1|1,2,ffff| 3.14\n');
});

test('work-items know where they are, in ranges that groups do not divide too', () => {
  const output = new BigUint64Array(20 * 7 * 5 * 2);
  bench.run('where', { global: [7, 5, 2], local: [4, 2, 2], offset: [10, 20, 0] }, [output]);
  const wanted = upTo(70).flatMap((linear) => {
    const at = [linear % 7, Math.floor(linear / 7) % 5, Math.floor(linear / 35)] as const;
    const whole = [4, 2, 2] as const;
    const global = [7, 5, 2] as const;
    const axes = [0, 1, 2] as const;
    const group = axes.map((d) => Math.floor(at[d] / whole[d]));
    const size = axes.map((d) => Math.min(whole[d], global[d] - (group[d] ?? 0) * whole[d]));
    const local = axes.map((d) => at[d] % whole[d]);
    const [dx = 1, dy = 1] = size;
    const [tx = 0, ty = 0, tz = 0] = local;
    return [
      ...[at[0] + 10, at[1] + 20, at[2], ...local, ...group, ...size],
      ...axes.map((d) => Math.ceil(global[d] / whole[d])),
      ...[...global, 3, 20 * 100 + 40 + (tz * dy + ty) * dx + tx],
    ];
  });
  expect([...output].map(Number)).toEqual(wanted);
});

test('dimensions that are not there have index 0 and size 1', () => {
  const output = new BigUint64Array(2);
  bench.run('outside', { global: [4], local: [2], offset: [3] }, [output]);
  expect([...output]).toEqual([0n, 1n]);
});

test('functions of a group and of sub-groups', () => {
  const output = new Int32Array(12 * 50);
  const floats = new Float32Array(50);
  bench.run('together', { global: [50], local: [50] }, [output, floats]);
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
  const wanted = upTo(50).map((i) => {
    const sub = i < 32 ? 0 : 1;
    return [
      ...[sum(upTo(50)), sum(upTo(i)), Math.min(i, 6), 3, 1, 0, sub === 0 ? 31 : 49],
      ...[(i % 32) + 1, sub * 32 + 2, 200 + (sub === 0 ? 32 : 18), sub * 100 + (i % 32), sub === 0 ? 10 : 1],
    ];
  });
  expect([...output]).toEqual(wanted.flat());
  expect([...floats]).toEqual(upTo(50).map((i) => (i === 0 ? Infinity : -2)));
});

test('copies by all work-items of a group', () => {
  const vectors = Float32Array.from(upTo(64));
  const output = new Float32Array(16);
  bench.run('copies', { global: [16], local: [16] }, [vectors, output, { local: 256 }]);
  expect([...output]).toEqual(upTo(16).map((i) => 4 * (15 - i) + 1));
  expect([...vectors]).toEqual(upTo(64).map((i) => (i < 16 && i % 2 === 0 ? i / 2 : i)));
});

test('pointers know whether they lead to local memory', () => {
  const output = new Int32Array(4);
  bench.run('spaces', { global: [1], local: [1] }, [output, { local: 64 }]);
  expect([...output]).toEqual([1, 1, 1, 1]);
});

describe('queries of the kernels of a program', () => {
  test('names, types, address spaces, access and qualifiers of parameters', () => {
    const { opencl, parameters } = bench.kernel('described');
    const told = opencl?.arguments.map(({ name, typeName, space, access, qualifiers, kind }, i) =>
      [name, typeName, space, access, qualifiers.join(' '), kind, parameters[i]?.offset, parameters[i]?.size].join(),
    );
    expect(told).toEqual([
      'a,float*,global,none,const restrict volatile,buffer,0,8',
      'b,int*,constant,none,const,buffer,8,8',
      'c,short*,local,none,,local,16,8',
      'd,image2d_t,global,read_only,,image,24,8',
      'e,image2d_array_t,global,write_only,,image,32,8',
      'f,sampler_t,private,none,,sampler,40,8',
      'g,uchar3,private,none,,value,48,4',
      'h,Pair,private,none,,value,56,16',
      'k,double16,private,none,,value,128,128',
    ]);
    expect(opencl?.launchOffset).toBe(256);
  });

  test('sizes of work-groups', () => {
    const { opencl, maxThreads, argumentBytes } = bench.kernel('described');
    expect(opencl).toMatchObject({ requiredSize: [8, 4, 2], subGroupSize: 32 });
    expect(opencl?.attributes).toBe('reqd_work_group_size(8,4,2) vec_type_hint(uint4)');
    expect([maxThreads, argumentBytes]).toEqual([64, 256 + 112]);
    const hinted = bench.kernel('hinted');
    expect(hinted.opencl).toMatchObject({ sizeHint: [16, 1, 1], attributes: 'work_group_size_hint(16,1,1)' });
    expect(hinted.opencl?.requiredSize).toBeUndefined();
    expect(hinted.opencl?.arguments[0]).toMatchObject({ access: 'read_write', kind: 'image' });
  });

  test('local variables, each with its kernel', () => {
    expect(bench.kernel('mixed').sharedBytes).toBe(256);
    expect(bench.kernel('spaces').sharedBytes).toBe(4);
    expect(bench.kernel('count').sharedBytes).toBe(0);
  });

  test('it survives being encoded', () => {
    expect(decodeProgram(encodeProgram(program))?.kernels).toEqual(program.kernels);
  });
});
