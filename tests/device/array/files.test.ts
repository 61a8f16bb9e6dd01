import { expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { load, loadz, save, savez } from '../../../src/array-file/array-file.ts';
import { array } from '../../../src/array/create.ts';
import { arrayDTypes, type ArrayDType } from '../../../src/array/dtype.ts';
import { fromNpy, toNpy } from '../../../src/array/npy-array.ts';
import { encodeNpy } from '../../../src/array/npy.ts';
import { describeArrays } from '../../helpers/array-halves.ts';

const DTYPES = Object.keys(arrayDTypes).filter((dtype) => dtype !== 'bf16') as ArrayDType[];

/** A `.npy` file of version 1.0 with any header. */
function npyFile(descr: string, shape: string, order: string, data: Uint8Array): Uint8Array {
  const text = `{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}, }\n`;
  const head = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, text.length & 255, text.length >> 8]);
  return new Uint8Array(Buffer.concat([head, Buffer.from(text, 'latin1'), data]));
}

function inFolder(run: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-arrays-'));
  try {
    run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describeArrays('files', (engine) => {
  test.each(DTYPES)('an array of %s comes back as it was', (dtype) => {
    using x = array(engine(), dtype === 'bool' ? [[true, false]] : [[1, 2, 3]], { dtype });
    using back = fromNpy(engine(), toNpy(x));
    expect([back.dtype, back.shape, back.toArray()]).toEqual([dtype, x.shape, x.toArray()]);
  });

  test('bf16 is two bytes without a meaning, until it is said', () => {
    using x = array(engine(), [1, 2], { dtype: 'bf16' });
    const bytes = toNpy(x);
    expect(() => fromNpy(engine(), bytes)).toThrow("pass { void2: 'bf16' }");
    using back = fromNpy(engine(), bytes, { void2: 'bf16' });
    expect(back.toArray()).toEqual([1, 2]);
  });

  test('an array in column-major order is written in it, and read as a view', () => {
    using x = array(engine(), [
      [1, 2, 3],
      [4, 5, 6],
    ]);
    using turned = x.T;
    const bytes = toNpy(turned);
    expect(Buffer.from(bytes).toString('latin1')).toContain("'fortran_order': True, 'shape': (3, 2)");
    using back = fromNpy(engine(), bytes);
    expect([back.shape, back.strides, back.flags.fContiguous]).toEqual([[3, 2], [1, 3], true]);
    expect([...back.T.get()]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('big-endian numbers are swapped', () => {
    using x = fromNpy(engine(), npyFile("'>i4'", '(2,)', 'False', Uint8Array.of(0, 0, 0, 1, 0, 0, 1, 0)));
    expect([x.dtype, x.toArray()]).toEqual(['i32', [1, 256]]);
  });

  test('files of other elements, and other bytes, are refused', () => {
    const records = npyFile("[('x', '<f4')]", '(1,)', 'False', new Uint8Array(4));
    expect(() => fromNpy(engine(), records)).toThrow('stands for records');
    expect(() => fromNpy(engine(), Uint8Array.of(1, 2, 3))).toThrow('not an .npy file');
    expect(() => fromNpy(engine(), npyFile("'<f4'", '(9,)', 'False', new Uint8Array(4)))).toThrow('cut off');
    const wide = npyFile("'<f4'", `(${'1, '.repeat(40)})`, 'False', new Uint8Array(4));
    expect(() => fromNpy(engine(), wide)).toThrow('at most 32 axes');
  });

  test('arrays without elements, and of rank 0', () => {
    using none = fromNpy(engine(), encodeNpy({ dtype: 'f32', shape: [0, 3] }, new Uint8Array(0)));
    using scalar = fromNpy(engine(), encodeNpy({ dtype: 'i8', shape: [] }, Uint8Array.of(7)));
    expect([none.shape, scalar.shape, scalar.item()]).toEqual([[0, 3], [], 7]);
  });

  test('save and load, by path and by URL', () => {
    inFolder((folder) => {
      const path = join(folder, 'x.npy');
      using x = array(engine(), [[1.5, 2]]);
      save(path, x);
      using back = load(engine(), pathToFileURL(path));
      expect(back.toArray()).toEqual([[1.5, 2]]);
      writeFileSync(path, readFileSync(path).subarray(0, 100));
      expect(() => load(engine(), path)).toThrow('cut off');
      expect(() => load(engine(), join(folder, 'none.npy'))).toThrow('ENOENT');
      expect(() => load(engine(), 5 as unknown as string)).toThrow('path must be a string');
    });
  });

  test('savez and loadz keep the names, compressed or not', () => {
    inFolder((folder) => {
      const path = join(folder, 'x.npz');
      using x = array(engine(), new Float32Array(1000));
      using y = array(engine(), [1n, 2n]);
      const sizes = [false, true].map((compressed) => {
        savez(path, { x, __proto__y: y }, { compressed });
        const back = loadz(engine(), path);
        expect(Object.keys(back)).toEqual(['x', '__proto__y']);
        expect([back['x']?.size, back['__proto__y']?.toArray()]).toEqual([1000, [1n, 2n]]);
        for (const each of Object.values(back)) each.close();
        return readFileSync(path).length;
      });
      expect(sizes[1]).toBeLessThan((sizes[0] as number) / 5);
      expect(() => load(engine(), path)).toThrow('write loadz(file)');
      save(path, y);
      expect(() => loadz(engine(), path)).toThrow('write load(file)');
      expect(() => savez(path, { x: 5 } as never)).toThrow('x must be an NDArray');
    });
  });
});
