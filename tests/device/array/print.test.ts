import { afterEach, expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { array } from '../../../src/array/create.ts';
import { arange } from '../../../src/array/creation/arange.ts';
import { reshapeView } from '../../../src/array/reshape.ts';
import { viewOf, type NDArray } from '../../../src/array/ndarray.ts';
import type { Layout } from '../../../src/array/layout.ts';
import { setPrintOptions, printOptions } from '../../../src/array/print-options.ts';
import { describeArrays } from '../../helpers/array-halves.ts';

const DISPLAY = Symbol.for('Jupyter.display');
const standard = printOptions();

afterEach(() => {
  setPrintOptions(standard);
});

function shaped(array: NDArray<'f32'>, shape: readonly number[]): NDArray<'f32'> {
  return viewOf(array, reshapeView(array, shape) as Layout);
}

describeArrays('printing', (engine) => {
  test('inspect is NumPy repr, String is its str', () => {
    using x = array(engine(), [
      [1, 2.5],
      [3, 4],
    ]);
    expect(inspect(x)).toBe('NDArray([[1. , 2.5],\n         [3. , 4. ]], dtype=f32)');
    expect(String(x)).toBe('[[1.  2.5]\n [3.  4. ]]');
    expect(x.toString({ precision: 0 })).toBe('[[1. 2.]\n [3. 4.]]');
    expect(() => x.toString({ wrong: 1 } as object)).toThrow("no option 'wrong'");
  });

  test('views, arrays of rank 0, and without elements', () => {
    using x = array(engine(), [
      [1, 2, 3],
      [4, 5, 6],
    ]);
    using part = x.at(':, ::-2');
    using scalar = array(engine(), 7, { dtype: 'i32' });
    using none = array(engine(), [[]]);
    expect(String(part)).toBe('[[3. 1.]\n [6. 4.]]');
    expect([String(scalar), inspect(scalar)]).toEqual(['7', 'NDArray(7, dtype=i32)']);
    expect(inspect(none)).toBe('NDArray([], shape=(1, 0), dtype=f32)');
  });

  test('of a large array the corners are shown', () => {
    using ramp = arange(engine(), 10_000);
    expect(String(ramp)).toBe('[0.000e+00 1.000e+00 2.000e+00 ... 9.997e+03 9.998e+03 9.999e+03]');
    using square = shaped(ramp, [100, 100]);
    expect(square.toString({ edgeItems: 2 })).toBe(
      '[[0.000e+00 1.000e+00 ... 9.800e+01 9.900e+01]\n' +
        ' [1.000e+02 1.010e+02 ... 1.980e+02 1.990e+02]\n ...\n' +
        ' [9.800e+03 9.801e+03 ... 9.898e+03 9.899e+03]\n' +
        ' [9.900e+03 9.901e+03 ... 9.998e+03 9.999e+03]]',
    );
    using turned = square.T;
    expect(turned.toString({ edgeItems: 1 })).toBe('[[   0. ... 9900.]\n ...\n [  99. ... 9999.]]');
    using tall = shaped(ramp, [5000, 2]);
    expect(tall.toString({ edgeItems: 1 })).toBe('[[0.000e+00 1.000e+00]\n ...\n [9.998e+03 9.999e+03]]');
    expect(inspect(square)).toContain('shape=(100, 100), dtype=f32)');
  });

  test('setPrintOptions holds for all that follows', () => {
    using x = array(engine(), [1, 2, 3, 4, 5]);
    setPrintOptions({ threshold: 4, edgeItems: 1 });
    expect(String(x)).toBe('[1. ... 5.]');
    expect(printOptions().precision).toBe(8);
    expect(() => {
      setPrintOptions({ precision: -1 });
    }).toThrow('precision must be');
  });

  test('a closed array, and one inside of other objects', () => {
    using x = array(engine(), [1]);
    expect(inspect({ a: { b: { c: { x } } } }, { depth: 3 })).toContain('[NDArray shape=(1,), dtype=f32]');
    expect(inspect({ x })).toBe('{ x: NDArray([1.], dtype=f32) }');
    x.close();
    expect([String(x), inspect(x)]).toEqual(['NDArray(closed)', 'NDArray(closed)']);
    expect(inspect(Object.create(x) as object)).toBe('NDArray');
  });

  test('notebooks get text and a table', () => {
    using x = array(engine(), [[1, 2]]);
    const shown = (x as unknown as Record<symbol, () => Record<string, string>>)[DISPLAY]?.();
    expect(shown?.['text/plain']).toBe('NDArray([[1., 2.]], dtype=f32)');
    expect(shown?.['text/html']).toContain('<caption>NDArray, shape=(1, 2), dtype=f32</caption>');
    expect(shown?.['text/html']).toContain('<td>1.</td><td>2.</td>');
  });
});
