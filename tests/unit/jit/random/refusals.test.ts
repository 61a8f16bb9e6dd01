import { describe, expect, test } from '@jest/globals';
import { dtypes } from '../../../../src/core/dtype.ts';
import { struct } from '../../../../src/core/struct.ts';
import {
  createXoroshiro128pStates,
  initXoroshiro128pStates,
  SimulationError,
  structArray,
  Xoroshiro128pState,
  Xoroshiro128pStates,
} from '../../../../src/cuda/jit/index.ts';
import type { Engine } from '../../../../src/array/engine.ts';
import { JitError } from '../../../../src/jit/error.ts';
import { jitOf, vectorizeOf } from '../../../../src/jit/jit.ts';
import { openclJit } from '../../../../src/opencl/jit/half.ts';
import { functionOf } from '../../../helpers/jit-program-kernel.ts';

const jit = jitOf(openclJit);
const Other = struct({ s0: 'u64', s1: 'i64' });

/** What refuses a kernel of an array of states, one of other structs, floats, and a number of f32. The mistake is between « and ». */
function refusal(statement: string): { error: Error; start: number; marked: string } {
  const text = `(states, others, x, f) => { ${statement.replace(/[«»]/g, '')} }`;
  const signature = 'void(State[], Other[], f32[], f32)';
  try {
    jit(signature, functionOf(text) as never, { types: { State: Xoroshiro128pState, Other } }).inspect();
  } catch (error) {
    const lines = (error as Error).message.split('\n');
    const [, shown = '', marks = ''] = lines;
    const start = marks.indexOf('^');
    return { error: error as Error, start, marked: shown.slice(start, marks.lastIndexOf('^') + 1) };
  }
  throw new Error(`nothing was refused: ${statement}`);
}

describe('what a kernel cannot draw from', () => {
  const call = 'cuda.random.xoroshiro128pUniformFloat32';
  test.each<[string, string, string]>([
    ['floats', `x[0] = ${call}(«x», 0);`, `the first argument of ${call} must be an array of states`],
    ['other structs', `x[0] = ${call}(«others», 0);`, 'got { s0: u64, s1: i64 }[]'],
    ['one state', `x[0] = ${call}(«states[0]», 0);`, 'createXoroshiro128pStates(n, { seed }) makes it, got { s0: u64,'],
    ['a seed', `x[0] = ${call}(«1», 0);`, 'got an integer constant'],
    [
      'an index with a fraction',
      `x[0] = ${call}(states, «f»);`,
      'an index must be an integer, got f32; write Math.floor',
    ],
    ['states as an index', `x[0] = ${call}(states, «states»);`, 'a number must stand here, got { s0: u64, s1: u64 }[]'],
    ['no index', `x[0] = «${call}(states)»;`, `${call} must be given 2 arguments, got 1: ${call}(states, index)`],
    ['no call', `x[0] = «${call}»;`, `${call} must be called: ${call}(states, index)`],
    [
      "Numba's spelling",
      'x[0] = «cuda.random.xoroshiro128p_normal_float64»(states, 0);',
      'kernels do not have cuda.random.xoroshiro128p_normal_float64: there is cuda.random.xoroshiro128pNormalFloat64(states, index),',
    ],
    [
      "JavaScript's random numbers",
      'x[0] = «Math.random()»;',
      'a kernel has no Math.random: write cuda.random.xoroshiro128pUniformFloat32(states, i)',
    ],
  ])('%s', (_, statement, reason) => {
    const { error, marked } = refusal(statement);
    expect(error).toBeInstanceOf(JitError);
    expect(error.message).toContain(reason);
    expect(marked).toBe(statement.slice(statement.indexOf('«') + 1, statement.indexOf('»')));
  });
});

test('a state that is not there is an error of the line that names it, in the simulator', () => {
  const kernel = jit(
    functionOf('(states, x) => {\n  x[0] =\n    cuda.random.xoroshiro128pNormalFloat32(states, 7);\n}'),
  );
  const states = structArray(Xoroshiro128pState, [{ s0: 1n, s1: 2n }]);
  const run = (): void => {
    kernel.simulate(1, 1)(states, new Float32Array(1));
  };
  expect(run).toThrow(SimulationError);
  expect(run).toThrow('out-of-bounds read of states[7] by thread (0, 0, 0) of block (0, 0, 0): states has 1 element');
  expect(run).toThrow(expect.objectContaining({ line: 3 }));
});

describe('a device without 64-bit floats', () => {
  const engine = {
    facts: { hasDoubles: false, name: 'Small GPU', groupSize: 64 },
    laneOf: () => undefined,
    defaultLane: null,
    build: () => {
      throw new Error('it was built');
    },
  } as unknown as Engine;
  const half = { ...openclJit, engineFor: () => engine, hasLines: () => false };
  const states = structArray(Xoroshiro128pState, [{ s0: 1n, s1: 2n }]);
  const run = (text: string): void => {
    jitOf(half)(functionOf(text)).forAll(1)(states, new Float32Array(1));
  };

  test.each([
    ['x[0] = «cuda.random.xoroshiro128pUniformFloat64(states, 0)»;'],
    ['if («cuda.random.xoroshiro128pNormalFloat64(states, 0)» > 0) x[0] = 1;'],
    ['x[0] = Math.sin(«cuda.float64(x[0])»);'],
    ['let t = 0.1; for (let i = 0; i < 3; i++) «t» = 0.5; x[0] = 1;'],
  ])('%s is refused with its place', (statement) => {
    const text = `(states, x) => { ${statement.replace(/[«»]/g, '')} }`;
    const start = `(states, x) => { ${statement}`.indexOf('«');
    const fails = (): void => {
      run(text);
    };
    expect(fails).toThrow('Small GPU has no 64-bit floats, and this is f64: compute in f32');
    expect(fails).toThrow(expect.objectContaining({ code: 'ERR_RAWKERNEL_JIT', column: start + 1 }));
  });

  test('f32 is built, with constants of any fraction', () => {
    const statement = 'x[0] = cuda.random.xoroshiro128pNormalFloat32(states, 0) * 0.1 + Math.PI;';
    expect(() => {
      run(`(states, x) => { ${statement} }`);
    }).toThrow('it was built');
  });

  test('a function of arrays is refused, too', () => {
    const creation = { ...openclJit.creation };
    const half64 = vectorizeOf({ ...half, creation })(functionOf('(x) => Math.sin(x) * 2') as (x: number) => number);
    expect(() => half64(3)).toThrow('Small GPU has no 64-bit floats');
  });
});

describe('states on the host', () => {
  const seed = 1;
  test.each<[string, () => unknown, string]>([
    ['a fraction of states', () => createXoroshiro128pStates(1.5, { seed }), 'createXoroshiro128pStates: n must be'],
    ['fewer than none', () => createXoroshiro128pStates(-1, { seed }), 'createXoroshiro128pStates: n must be'],
    ['no options', () => createXoroshiro128pStates(4, undefined as never), 'createXoroshiro128pStates'],
    ['no seed', () => createXoroshiro128pStates(4, {} as never), 'seed must be an integer or a bigint, got undefined'],
    [
      'a text',
      () => createXoroshiro128pStates(4, { seed: '1' as never }),
      'seed must be an integer or a bigint, got the string "1"',
    ],
    ['a seed below 0', () => createXoroshiro128pStates(4, { seed: -1 }), 'createXoroshiro128pStates: seed'],
    ['a seed of 65 bits', () => createXoroshiro128pStates(4, { seed: 2n ** 64n }), 'createXoroshiro128pStates: seed'],
    ['a seed with a fraction', () => createXoroshiro128pStates(4, { seed: 0.5 }), 'createXoroshiro128pStates: seed'],
    [
      'a start below 0',
      () => createXoroshiro128pStates(4, { seed, subsequenceStart: -1n }),
      'createXoroshiro128pStates: subsequenceStart',
    ],
    ['another option', () => createXoroshiro128pStates(4, { seed, start: 1 } as never), 'start'],
    [
      'other structs',
      () => {
        initXoroshiro128pStates(structArray(Xoroshiro128pState, [{ s0: 1n, s1: 1n }]) as never, { seed });
      },
      'initXoroshiro128pStates must be given states of createXoroshiro128pStates, got ',
    ],
    [
      'new',
      () => new (Xoroshiro128pStates as unknown as new () => unknown)(),
      'Xoroshiro128pStates is not made with new; write createXoroshiro128pStates(n, { seed })',
    ],
  ])('%s is refused', (_, run, message) => {
    expect(run).toThrow(message);
  });

  test('u64 is what the words are', () => {
    expect(dtypes.u64.size * 2).toBe(Xoroshiro128pState.byteLength);
  });
});
