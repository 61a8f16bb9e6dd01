import { expect, test } from '@jest/globals';
import { sweepFlights } from '../../../src/core/in-flight.ts';
import { Context } from '../../../src/cuda/device/context.ts';
import { CudaLogicError } from '../../../src/cuda/errors.ts';
import { Event } from '../../../src/cuda/stream/event.ts';
import { Graph } from '../../../src/cuda/graph/graph.ts';
import { pagelockedFree, pagelockedZeros } from '../../../src/cuda/memory/host-memory.ts';
import { memcpyDtoHAsync, memcpyHtoDAsync } from '../../../src/cuda/copy/memcpy.ts';
import { memAlloc } from '../../../src/cuda/memory/memory.ts';
import { memsetD32, memsetD32Async } from '../../../src/cuda/copy/memset.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { Stream } from '../../../src/cuda/stream/stream.ts';
import { InOut } from '../../../src/cuda/copy/transfer.ts';
import { withDevice } from '../../helpers/cuda.ts';
import { GRAPH_KERNELS, N, shape, values, withGraphKernels } from '../../helpers/graph-kernels.ts';
import { needs } from '../../helpers/require.ts';

needs.cuda().describe('captures of streams', () => {
  withDevice();
  const kernels = withGraphKernels();

  test('a capture records what is enqueued, and joins other streams', () => {
    using memory = memAlloc(4 * N);
    using other = memAlloc(4 * N);
    using stream = new Stream({ nonBlocking: true });
    using side = new Stream({ nonBlocking: true });
    memsetD32(memory, 1, N);
    memsetD32(other, 1, N);
    using fork = new Event({ timing: false });
    using join = new Event({ timing: false });
    expect([stream.isCapturing, stream.captureInfo]).toEqual([false, { status: 'none', id: undefined }]);
    stream.beginCapture();
    expect(stream.isCapturing).toBe(true);
    expect(stream.captureInfo.status).toBe('active');
    kernels.add(memory, 1, { ...shape, stream });
    fork.record(stream);
    side.waitForEvent(fork);
    expect(side.captureInfo.id).toBe(stream.captureInfo.id);
    kernels.times.prepare({ ...shape, stream: side })(other, 5);
    kernels.add(memory, 2, { ...shape, stream });
    join.record(side);
    stream.waitForEvent(join);
    kernels.add(memory, 3, { ...shape, stream, priority: 0 });
    using graph = stream.endCapture();
    expect(stream.isCapturing).toBe(false);
    expect([graph.nodes.length, graph.edges.length]).toEqual([4, 4]);
    expect(new Set(graph.nodes.map(({ kind }) => kind))).toEqual(new Set(['kernel']));
    // Nothing has run yet.
    expect([values(memory), values(other)]).toEqual([[1], [1]]);
    using exec = graph.instantiate();
    exec.launch(stream);
    exec.launch(stream);
    stream.synchronize();
    expect([values(memory), values(other)]).toEqual([[13], [25]]);
  });

  test.each(['global', 'threadLocal', 'relaxed'] as const)('a capture in the mode %s', (mode) => {
    using memory = memAlloc(4 * N);
    using stream = new Stream({ nonBlocking: true });
    stream.beginCapture(mode);
    memsetD32Async(memory, 3, N, stream);
    using graph = stream.endCapture();
    using exec = graph.instantiate();
    exec.launch(stream);
    stream.synchronize();
    expect(values(memory)).toEqual([3]);
  });

  test('captured copies, transfers and modules stay alive with the graph', async () => {
    const memory = memAlloc(4 * N);
    const own = new SourceModule(GRAPH_KERNELS);
    using stream = new Stream({ nonBlocking: true });
    using result = pagelockedZeros(N, 'i32');
    using input = pagelockedZeros(N, 'i32');
    using both = pagelockedZeros(N, 'i32');
    input.fill(4);
    both.fill(100);
    stream.beginCapture();
    memcpyHtoDAsync(memory, input, stream);
    own.getFunction('times')(memory, 3, { ...shape, stream });
    memcpyDtoHAsync(result, memory, stream);
    own.getFunction('add')(InOut(both), 1, { ...shape, stream });
    using graph = stream.endCapture();
    memory.close();
    own.close();
    using exec = graph.instantiate();
    graph.close();
    exec.launch(stream);
    exec.launch(stream);
    await stream.done();
    expect([[...new Set(result)], [...new Set(both)]]).toEqual([[12], [102]]);
  });

  test('a capture that does not end well leaves nothing', () => {
    using memory = memAlloc(4 * N);
    using stream = new Stream({ nonBlocking: true });
    using side = new Stream({ nonBlocking: true });
    using fork = new Event({ timing: false });
    stream.beginCapture();
    expect(() => {
      stream.beginCapture();
    }).toThrow(CudaLogicError);
    fork.record(stream);
    side.waitForEvent(fork);
    kernels.add(memory, 1, { ...shape, stream: side });
    expect(() => stream.endCapture()).toThrow(/STREAM_CAPTURE_(UNJOINED|INVALIDATED)/);
    expect([stream.isCapturing, side.isCapturing]).toEqual([false, false]);
    stream.beginCapture();
    expect(() => {
      stream.synchronize();
    }).toThrow(/CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED/);
    expect(stream.captureInfo.status).toBe('invalidated');
    expect(() => stream.endCapture()).toThrow(/CUDA_ERROR_STREAM_CAPTURE_INVALIDATED/);
    expect(() => stream.endCapture()).toThrow(CudaLogicError);
    kernels.add(memory, 1, { ...shape, stream });
    stream.synchronize();
  });

  test('a stream that is closed in its capture gives it up: the context is as before', () => {
    const doomed = new Stream({ nonBlocking: true });
    doomed.beginCapture('global');
    doomed.close();
    // Each of these is refused while a capture of this mode is open.
    using memory = memAlloc(4 * N);
    memsetD32(memory, 1, N);
    Context.current?.synchronize();
    expect(values(memory)).toEqual([1]);
  });

  test('page-locked memory that is freed in a capture goes after its end', () => {
    const array = pagelockedZeros(N, 'i32');
    using stream = new Stream({ nonBlocking: true });
    stream.beginCapture('global');
    pagelockedFree(array);
    expect(array.length).toBe(0);
    stream.endCapture().close();
    sweepFlights();
  });

  test('an executable graph cannot be captured', () => {
    using memory = memAlloc(4 * N);
    memsetD32(memory, 0, N);
    using inner = new Graph();
    inner.addKernel(kernels.add, [memory, 2], shape);
    using exec = inner.instantiate();
    using stream = new Stream({ nonBlocking: true });
    stream.beginCapture();
    expect(() => {
      exec.launch(stream);
    }).toThrow(/CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED/);
    expect(() => stream.endCapture()).toThrow(/CUDA_ERROR_STREAM_CAPTURE_INVALIDATED/);
    exec.launch(stream);
    stream.synchronize();
    expect(values(memory)).toEqual([2]);
  });
});
