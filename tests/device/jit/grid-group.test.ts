import { expect, test } from '@jest/globals';
import { cuda, device, type F32, type I32 } from '../../../src/cuda/jit/index.ts';
import { describeJit } from '../../helpers/jit-halves.ts';

describeJit('all threads of the grid', ({ jit, isCuda }) => {
  const barrier = device(() => {
    cuda.cg.this_grid().sync();
  });
  test('a barrier of the grid: what other blocks wrote is there behind it', () => {
    const rotate = jit(
      (x: I32, y: I32, rounds: number, { barrier }) => {
        const grid = cuda.cg.this_grid();
        const i = cuda.grid(1);
        const tile = cuda.shared.array(4, 'i32');
        tile[cuda.threadIdx.x] = i;
        for (let k = 0; k < rounds; k++) {
          y[i] = x[(i + 5) % x.length]! + tile[cuda.threadIdx.x]!;
          grid.sync();
          x[i] = y[(i + 3) % x.length]! * 2;
          barrier();
        }
        x[i]! += cuda.gridsize(1);
      },
      { const: { barrier } },
    );
    const length = 12;
    let wanted = Array.from({ length }, (_, i) => i * i);
    for (let k = 0; k < 3; k++) {
      const y = wanted.map((_, i) => wanted[(i + 5) % length]! + i);
      wanted = y.map((_, i) => y[(i + 3) % length]! * 2);
    }
    wanted = wanted.map((one) => one + length);
    const x = Int32Array.from({ length }, (_, i) => i * i);
    rotate.simulate(3, 4)(x, new Int32Array(length), 3);
    expect([...x]).toEqual(wanted);
    const run = rotate.at(3, 4);
    const again = Int32Array.from({ length }, (_, i) => i * i);
    if (isCuda()) {
      run(again, new Int32Array(length), 3);
      expect([...again]).toEqual(wanted);
    } else expect(() => run(again, new Int32Array(length), 3)).toThrow('OpenCL C has no this_grid().sync');
  });

  test('the simulator tells of blocks and threads that do not come', () => {
    const early = jit((x: F32) => {
      if (cuda.blockIdx.x === 1) return;
      cuda.cg.this_grid().sync();
      x[0] = 1;
    });
    expect(() => early.simulate(2, 2)(new Float32Array(1))).toThrow(
      'divergent barrier: this_grid().sync is waited at by thread (0, 0, 0) of block (0, 0, 0), but block (1, 0, 0) has returned',
    );
    const mixed = jit((x: F32) => {
      if (cuda.threadIdx.x === 1) cuda.syncthreads();
      else cuda.cg.this_grid().sync();
      x[0] = 1;
    });
    expect(() => mixed.simulate(2, 2)(new Float32Array(1))).toThrow('divergent barrier');
  });
});
