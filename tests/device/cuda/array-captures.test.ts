import { expect, test } from '@jest/globals';
import {
  memcpyAtoAAsync,
  memcpyAtoH,
  memcpyDtoAAsync,
  memcpyHtoA,
  toArray,
} from '../../../src/cuda/copy/memcpy-array.ts';
import { Memcpy2D } from '../../../src/cuda/copy/memcpy-2d.ts';
import { memcpyHtoD, toDevice } from '../../../src/cuda/copy/memcpy.ts';
import { OpaqueArray } from '../../../src/cuda/texture/opaque-array.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { needs } from '../../helpers/require.ts';

const SHAPE = { width: 4, height: 2, dtype: 'i32' } as const;

needs.arrays().describe('captures of copies with arrays', () => {
  withDevice();

  test('each launch of the graph copies anew', () => {
    using stream = new Stream({ nonBlocking: true });
    using memory = toDevice(Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    using first = new OpaqueArray(SHAPE);
    using second = toArray(new Int32Array(8).fill(-1), SHAPE);
    using part = toArray(new Int32Array(8).fill(-1), SHAPE);
    stream.beginCapture();
    memcpyDtoAAsync(first, memory, stream);
    memcpyAtoAAsync(second, first, stream);
    // The right half of the lower row goes to the left half of the upper one.
    const box = new Memcpy2D().setSrcArray(first).setDstArray(part);
    Object.assign(box, { srcXInBytes: 8, srcY: 1, widthInBytes: 8, height: 1 });
    box.runAsync(stream);
    using graph = stream.endCapture();
    using exec = graph.instantiate();
    const content = (array: OpaqueArray): number[] => {
      const out = new Int32Array(8);
      memcpyAtoH(out, array);
      return [...out];
    };
    // Nothing has run in the capture.
    expect(content(second)).toEqual(new Array(8).fill(-1));
    exec.launch(stream);
    stream.synchronize();
    expect(content(second)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(content(part)).toEqual([7, 8, -1, -1, -1, -1, -1, -1]);
    memcpyHtoD(memory, Int32Array.of(10, 20, 30, 40, 50, 60, 70, 80));
    memcpyHtoA(second, new Int32Array(8));
    exec.launch(stream);
    stream.synchronize();
    expect(content(second)).toEqual([10, 20, 30, 40, 50, 60, 70, 80]);
    expect(content(part)).toEqual([70, 80, -1, -1, -1, -1, -1, -1]);
  });
});
