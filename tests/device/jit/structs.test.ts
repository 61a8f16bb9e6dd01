import { expect, test } from '@jest/globals';
import { array } from '../../../src/array/create.ts';
import { float2, int4 } from '../../../src/cuda/kernel/vectors.ts';
import { slice } from '../../../src/array/slice.ts';
import { struct } from '../../../src/core/struct.ts';
import { cuda, device, structArray, type F32, type I32, type Structs } from '../../../src/cuda/jit/index.ts';
import { describeJit } from '../../helpers/jit-halves.ts';

const N = 70;
const Point = struct({ x: 'f32', y: 'f32' });
// Fields of each size, so that there are gaps between them and behind the last one.
const Body = struct({
  kind: 'u8',
  mass: 'f64',
  at: Point,
  isFixed: 'bool',
  hits: 'i64',
  velocity: float2,
  cell: 'i16',
  color: int4,
  flags: 'u32',
  last: 'i8',
});

interface Value {
  kind: number;
  mass: number;
  at: { x: number; y: number };
  isFixed: boolean;
  hits: bigint;
  velocity: number[];
  cell: number;
  color: number[];
  flags: number;
  last: number;
}

function bodies(): Value[] {
  return Array.from({ length: N }, (_, i) => ({
    kind: (i * 37) % 256,
    mass: Math.sin(i) * 100,
    at: { x: Math.fround(i * 0.3), y: Math.fround(-i / 7) },
    isFixed: i % 3 === 0,
    hits: BigInt(i) ** 5n - 7n,
    velocity: [Math.fround(Math.cos(i)), Math.fround(Math.sin(i * 2))],
    cell: i * 400 - 14000,
    color: [i, 5 - i, i * 1000, 7],
    flags: (i * 2654435761) >>> 0,
    last: (i % 256) - 100,
  }));
}

const packed = (values: readonly Value[]): Uint8Array<ArrayBuffer> =>
  Body.pack(
    values.map((one) => ({
      ...one,
      velocity: float2(...(one.velocity as [number, number])),
      color: int4(...(one.color as [number, number, number, number])),
    })),
  );

const f = Math.fround;

describeJit('arrays of structs', ({ jit, engine }) => {
  test('fields are read and written where C has them', () => {
    const kernel = jit((b: Structs<typeof Body>, dt: number) => {
      const i = cuda.grid(1);
      if (i >= b.length) return;
      if (!b[i]!.isFixed) {
        b[i]!.at.x += b[i]!.velocity.x * dt;
        b[i]!.at.y += b[i]!.velocity.y * dt;
      }
      b[i]!.hits++;
      b[i]!.isFixed = i % 2 === 0;
      b[i]!.color.z = b[i]!.cell * 2;
      b[i]!.cell -= 1;
      b[i]!.kind = b[i]!.kind ^ 255;
      b[i]!.flags = (b[i]!.flags >>> 3) | 1;
      b[i]!.mass *= 1.5;
      b[i]!.last--;
    });
    const dt = f(0.25);
    const wanted = bodies().map((one, i) => ({
      ...one,
      at: one.isFixed
        ? one.at
        : { x: f(one.at.x + f(one.velocity[0]! * dt)), y: f(one.at.y + f(one.velocity[1]! * dt)) },
      hits: one.hits + 1n,
      isFixed: i % 2 === 0,
      color: [one.color[0]!, one.color[1]!, one.cell * 2, one.color[3]!],
      cell: one.cell - 1,
      kind: one.kind ^ 255,
      flags: (one.flags >>> 3) | 1,
      mass: one.mass * 1.5,
      last: one.last - 1,
    }));
    // The fraction is an f64, as a struct has one: a quarter is the same in both.
    for (const run of [kernel.at(1, 128), kernel.simulate(1, 128)]) {
      const bytes = packed(bodies());
      run(structArray(Body, bytes), 0.25);
      expect(Body.unpack(bytes)).toEqual(wanted);
    }
  });

  test('whole structs are copies: of variables, literals in any order, functions and loops', () => {
    const turned = device((p: { x: number; y: number }) => ({ x: -p.y, y: p.x }));
    const sum = device((all: Structs<typeof Point>) => {
      let total = 0;
      for (const p of all) total += p.x + p.y;
      return total;
    });
    const kernel = jit(
      (a: Structs<typeof Point>, out: Structs<typeof Point>, sums: F32, { turned, sum }) => {
        const i = cuda.grid(1);
        if (i >= a.length) return;
        const p = a[i]!;
        let q = p;
        q.x += 10;
        if (i % 4 === 0) q = turned(a[i]);
        else if (i % 4 === 1) q = a[a.length - 1 - i]!;
        out[i] = q;
        const at = i + a.length;
        if (i % 2 === 0) out[at] = { y: p.x, x: i };
        else out[at] = { x: out[i].y, y: p.y * 2 };
        if (i === 0) sums[0] = sum(a);
      },
      { const: { turned, sum } },
    );
    const points = Array.from({ length: N }, (_, i) => ({ x: i * 0.5, y: 3 - i }));
    const wanted = points.map((p, i) =>
      i % 4 === 0 ? { x: -p.y + 0, y: p.x } : i % 4 === 1 ? points[N - 1 - i]! : { x: p.x + 10, y: p.y },
    );
    const more = points.map((p, i) => (i % 2 === 0 ? { y: p.x, x: i } : { x: wanted[i]!.y, y: p.y * 2 }));
    for (const run of [kernel.at(1, 128), kernel.simulate(1, 128)]) {
      const a = Point.pack(points);
      const out = new Uint8Array(2 * a.length);
      const sums = new Float32Array(1);
      run(structArray(Point, a), structArray(Point, out), sums);
      expect(Point.unpack(a)).toEqual(points);
      expect(Point.unpack(out).map(({ x, y }) => ({ x: x + 0, y: y + 0 }))).toEqual([...wanted, ...more]);
      expect(sums[0]).toBe(points.reduce((total, { x, y }) => f(total + f(x + y)), 0));
    }
  });

  test('arrays of the block and of the thread, with barriers between', () => {
    const kernel = jit(
      (a: Structs<typeof Point>, out: F32, { Point: P }: { Point: typeof Point }) => {
        const tile = cuda.shared.array([2, 32], P);
        const own = cuda.local.array(3, P);
        const j = cuda.threadIdx.x;
        const row = j >> 5;
        tile[row]![j & 31] = a[j]!;
        cuda.syncthreads();
        for (let k = 0; k < 3; k++) own[k] = { x: tile[1 - row]![(j + k) & 31]!.y, y: k };
        cuda.syncthreads();
        tile[row]![j & 31]!.x = own[0]!.x + own[1]!.x + own[2]!.y;
        cuda.syncthreads();
        out[j] = tile[row]![31 - (j & 31)]!.x;
      },
      { const: { Point } },
    );
    const points = Array.from({ length: 64 }, (_, i) => ({ x: i, y: i * i }));
    const own = points.map((_, j) => {
      const at = (k: number): number => points[32 * (1 - (j >> 5)) + ((j + k) & 31)]!.y;
      return at(0) + at(1) + 2;
    });
    const wanted = points.map((_, j) => own[32 * (j >> 5) + 31 - (j & 31)]!);
    for (const run of [kernel.at(1, 64), kernel.simulate(1, 64)]) {
      const out = new Float32Array(64);
      run(structArray(Point, points), out);
      expect([...out]).toEqual(wanted);
    }
  });

  test('a signature names structs: arrays of them, and values', () => {
    const kernel = jit(
      'void(Point[], Point, i32[])',
      (a, by, out) => {
        const i = cuda.grid(1);
        if (i >= a.length) return;
        a[i]!.x = a[i]!.x * by.x;
        a[i]!.y = a[i]!.y + by.y;
        out[i] = a[i]!.x > 2 ? 1 : 0;
      },
      { types: { Point } },
    );
    expect(kernel.inspect()).toContain('float x;');
    for (const run of [kernel.at(1, 4), kernel.simulate(1, 4)]) {
      const [bytes, out] = [Point.pack([1, 2, 3].map((x) => ({ x, y: x }))), new Int32Array(3)];
      run(structArray(Point, bytes), { y: 1, x: 2 }, out);
      expect(Point.unpack(bytes)).toEqual([1, 2, 3].map((x) => ({ x: x * 2, y: x + 1 })));
      expect([...out]).toEqual([0, 1, 1]);
      const wide = struct({ x: 'f64', y: 'f64' });
      expect(() => {
        run(structArray(wide, [{ x: 1, y: 2 }]) as never, { x: 1, y: 2 }, out);
      }).toThrow('argument 1 must be { x: f32, y: f32 }[], got { x: f64, y: f64 }[]');
      expect(() => {
        run(structArray(Point, bytes), { x: 1 } as never, out);
      }).toThrow('argument 2 must be { x: f32, y: f32 }, got { x: i32 }');
    }
  });

  test('atomic operations on fields: of memory of the device and of the block, of structs in structs', () => {
    const Cell = struct({
      tag: 'u8',
      hits: 'i32',
      in: struct({ top: 'i64', least: 'u32' }),
      mass: 'f32',
      energy: 'f64',
    });
    const kernel = jit(
      (cells: Structs<typeof Cell>, seen: I32, { Cell: C }: { Cell: typeof Cell }) => {
        const tile = cuda.shared.array([2, 2], C);
        const i = cuda.grid(1);
        const j = cuda.threadIdx.x;
        if (j < 4) tile[j >> 1]![j & 1] = cells[0]!;
        cuda.syncthreads();
        let k = i % 3;
        seen[i] = cuda.atomic.add(cells[k++]!, 'hits', k);
        cuda.atomic.max(cells[i % 3]!.in, 'top', i * 3);
        cuda.atomic.min(cells[i % 3]!.in, 'least', 1000 - i);
        cuda.atomic.add(cells[i % 3]!, 'mass', 0.5);
        cuda.atomic.sub(cells[2]!, 'energy', i);
        if (cuda.atomic.cas(cells[1]!, 'hits', -5, 1) === -5) cells[1]!.tag = 9;
        cuda.atomic.add(tile[1]![i & 1]!, 'hits', 1);
        cuda.syncthreads();
        if (i === 0) cuda.atomic.exch(cells[3]!, 'hits', tile[1]![0]!.hits);
      },
      { const: { Cell } },
    );
    const list = [0, 1, 2, 3].map((tag) => ({
      tag,
      hits: 0,
      in: { top: -1n, least: 4000000000 },
      mass: 1,
      energy: 0.25,
    }));
    const wanted = list.map((one, at) => ({
      ...one,
      hits: at < 3 ? (at === 0 ? 22 : 21) * (at + 1) : 32,
      in: at < 3 ? { top: BigInt((63 - ((63 - at) % 3)) * 3), least: 1000 - (63 - ((63 - at) % 3)) } : one.in,
      mass: at < 3 ? 1 + (at === 0 ? 22 : 21) / 2 : 1,
      energy: at === 2 ? 0.25 - (63 * 64) / 2 : 0.25,
    }));
    for (const run of [kernel.at(1, 64), kernel.simulate(1, 64)]) {
      const [bytes, seen] = [Cell.pack(list), new Int32Array(64)];
      run(structArray(Cell, bytes), seen);
      expect(Cell.unpack(bytes)).toEqual(wanted);
      expect([...seen].filter((_, i) => i % 3 === 1).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 21 }, (_, i) => i * 2),
      );
    }
  });

  test('memory of the device stays there', () => {
    const kernel = jit((a: Structs<typeof Point>, out: I32) => {
      const i = cuda.grid(1);
      if (i < a.length) {
        a[i]!.y = a[i]!.x + 1;
        out[i] = a.length;
      }
    });
    const host = Point.pack([1, 2, 3].map((x) => ({ x, y: 0 })));
    const a = array(engine(), host, undefined);
    const part = array(engine(), new Uint8Array(40), undefined).at(slice(8));
    for (const run of [kernel.at(1, 4), kernel.simulate(1, 4)]) {
      const out = new Int32Array(3);
      run(structArray(Point, a), out);
      expect(Point.unpack(a.get() as Uint8Array)).toEqual([1, 2, 3].map((x) => ({ x, y: x + 1 })));
      expect([...out]).toEqual([3, 3, 3]);
      expect(() => {
        run(structArray(Point, part), out);
      }).toThrow('must be structs in memory without gaps');
    }
    a.close();
    part.close();
  });
});
