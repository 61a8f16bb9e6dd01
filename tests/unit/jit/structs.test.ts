import { describe, expect, test } from '@jest/globals';
import { float2, float3, float4, struct } from '../../../src/cuda/index.ts';
import { jit, SimulationError, structArray, type F32, type Structs } from '../../../src/cuda/jit/index.ts';
import { jit as openclJit } from '../../../src/opencl/jit/index.ts';
import { kernelStruct } from '../../../src/jit/described-struct.ts';
import { layoutOf } from '../../../src/jit/struct-layout.ts';

const Point = struct({ x: 'f32', y: 'f32' });

describe('the layout of structs in kernels', () => {
  const inner = struct({ a: 'u8', b: 'i16', c: 'bool' });
  test.each([
    struct({ a: 'u8', b: 'f64', c: 'u8' }),
    struct({ a: inner, b: 'i8', c: inner, d: 'i64', e: 'bool' }),
    struct({ a: 'u8', b: float2, c: 'u8', d: float4, e: 'u16' }),
    struct({ a: 'bool' }),
  ])('is that of struct() (%#)', (type) => {
    const { size, alignment, offsets } = layoutOf(kernelStruct(type, 'type'));
    expect({ size, alignment, offsets }).toEqual({
      size: type.byteLength,
      alignment: type.alignment,
      offsets: Object.values(type.offsets),
    });
  });
});

test('the C has one struct for elements, variables and values of one kind', () => {
  const kernel = (a: Structs<typeof Point>): void => {
    const p = a[0]!;
    a[1] = { y: p.x, x: a[2]!.y };
  };
  const body = `{
  const Values1 p = a[0];
  a[1] = Values1{a[2].y, p.x};
}`;
  const text = jit('void(Point[])', kernel, { types: { Point }, name: 'swap' }).inspect();
  expect(text).toBe(`typedef struct {
  float x;
  float y;
} Values1;

extern "C" __global__ void swap(Values1 *a) ${body}
`);
  expect(openclJit('void(Point[])', kernel, { types: { Point }, name: 'swap' }).inspect()).toContain(
    `__kernel void swap(__global Values1 *a) ${body.replace('Values1{a[2].y, p.x}', '(Values1){a[2].y, p.x}')}`,
  );
});

describe('what is refused', () => {
  test.each<[string, () => unknown, string]>([
    [
      'a pointer',
      () => structArray(struct({ p: 'ptr' }), new Uint8Array(8)),
      'structArray: the type.p: a struct in a kernel has numbers (bool, i8,',
    ],
    ['a half', () => structArray(struct({ h: 'f16' }), new Uint8Array(8)), 'got f16; store it as f32, or as u16'],
    [
      'an array',
      () => structArray(struct({ v: ['f32', 3] }), new Uint8Array(12)),
      'got an array; write a field for each of its numbers',
    ],
    [
      'a vector of two layouts',
      () => structArray(struct({ v: float3 }), new Uint8Array(12)),
      'got float3; write a struct of numbers',
    ],
    ['a list of types', () => structArray({ x: 'f32' } as never, new Uint8Array(4)), 'must be a struct(…), got'],
    [
      'a number for memory',
      () => structArray(Point, 4 as never),
      'must be given values, bytes or memory of the device',
    ],
    [
      'half a struct',
      () => structArray(Point, new Uint8Array(12)),
      'structArray: the memory must be a multiple of 8 bytes, the size of the struct, got 12',
    ],
    [
      'several axes',
      () => jit('void(Point[,])', () => undefined, { types: { Point } }),
      'an array of structs must have 1 axis, got 2',
    ],
    [
      'a name of elements',
      () => jit('void(f32[])', () => undefined, { types: { f32: Point } }),
      'the name of a struct must be a word that is not an element type, got f32',
    ],
    ['an unknown struct', () => jit('void(Pointt[])', () => undefined, { types: { Point } }), 'got "Pointt[]"'],
    [
      'a struct as a value',
      () => jit('void(f32[])', (x, { P }) => void (x[0] = P as never), { const: { P: Point } }).inspect(),
      'a struct must be a dtype here: cuda.local.array(16, Point)',
    ],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(message);
  });

  const mistakes: readonly [string, (a: Structs<typeof Point>) => unknown, string][] = [
    ['another name', (a) => void (a[0] = { x: 1, z: 2 } as never), '{ x: f32, y: f32 } must stand here'],
    ['a number for a struct', (a) => void (a[0] = 1 as never), '{ x: f32, y: f32 } must stand here'],
    ['a field that is not there', (a) => (a[0] as unknown as { z: number }).z++, 'has .x, .y, got .z'],
    [
      'a sum of structs',
      (a) => void (a[0]!.x = (a[1] as never) + 1),
      'a number must stand here, got { x: f32, y: f32 }',
    ],
  ];
  test.each(mistakes)('in a kernel: %s', (_, fn, message) => {
    expect(() => jit('void(Point[])', fn as never, { types: { Point } } as never).inspect()).toThrow(message);
  });
});

test('the simulator names the element that is not there', () => {
  const kernel = jit('void(Point[])', (a) => void (a[3]!.y = a[0]!.x), { types: { Point } });
  const run = (): void => {
    kernel.simulate(1, 1)(structArray(Point, [{ x: 1, y: 2 }]));
  };
  expect(run).toThrow(SimulationError);
  expect(run).toThrow('out-of-bounds write of a[3] by thread (0, 0, 0) of block (0, 0, 0): a has 1 element');
});

describe('what a kernel writes to an object or a list that it is given would be lost', () => {
  const lost = (kind: string, memory: string): string =>
    `p is a copy of the ${kind} that the call gives, and what is written to it is lost: pass ${memory}, or write to another copy, const own = p`;
  test.each<[string, (p: never) => void, unknown, string]>([
    [
      'a field',
      (p: { a: number }) => {
        p.a = 1;
      },
      { a: 1 },
      lost('object', 'structArray(…)'),
    ],
    [
      'an inner field',
      (p: { q: { a: number } }) => {
        p.q.a++;
      },
      { q: { a: 1 } },
      lost('object', 'structArray(…)'),
    ],
    [
      'a value',
      (p: number[]) => {
        p[0]! += 1;
      },
      [1, 2],
      lost('list', 'a typed array'),
    ],
    [
      'a value by an index that varies',
      (p: number[]) => {
        for (let i = 0; i < 2; i++) p[i] = 0;
      },
      [1, 2],
      lost('list', 'a typed array'),
    ],
    [
      'several values',
      (p: number[]) => {
        [p[0], p[1]] = [p[1]!, p[0]!];
      },
      [1, 2],
      lost('list', 'a typed array'),
    ],
  ])('%s', (_, fn, given, reason) => {
    const kernel = jit(fn);
    expect(() => {
      kernel.simulate(1, 1)(given as never);
    }).toThrow(reason);
  });

  test('a copy of its own may be changed, and the parameter be another one', () => {
    const out = new Float32Array(3);
    const kernel = (p: { a: number }, list: readonly [number, number], x: F32): void => {
      const own = p;
      own.a += 1;
      const [first] = list;
      x[0] = own.a;
      x[1] = p.a + first;
      p = { a: 5 };
      x[2] = p.a;
    };
    jit(kernel).simulate(1, 1)({ a: 1 }, [10, 20], out);
    expect([...out]).toEqual([2, 11, 5]);
  });
});
