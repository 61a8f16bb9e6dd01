import * as cl from 'rawkernel/opencl';
import { bareSide, callSide, type Case, type Side } from '../harness.ts';
import type { OpenCLBench } from '../opencl.ts';
import type { Peer } from '../peers/peer.ts';
import { launchCases } from './opencl-launch.ts';
import { copyCases } from './opencl-copy.ts';

const COUNT = 400;
const MAPS = 100;
const BYTES = 1 << 20;
const { READ_WRITE } = cl.MemFlags;

/** What a driver writes to. */
const slot = new BigUint64Array(1);

/** What the cases of a device share. */
export interface OpenCLCases extends OpenCLBench {
  /** The peers' sides of a case. */
  readonly theirs: (wanted: string) => readonly Side[];
  /** The device runs dry: not a part of what is measured, where only the host's time counts. */
  readonly settle: () => void;
}

/** Launches, buffers, copies, maps and markers on one device. */
export function* openclSuite(bench: OpenCLBench, peers: readonly Peer[]): Generator<Case> {
  const cases: OpenCLCases = {
    ...bench,
    theirs: (wanted) => peers.flatMap((peer) => peer.sides(wanted)),
    settle: () => {
      bench.queue.finish();
    },
  };
  yield* launchCases(cases);
  yield* bufferCases(cases);
  yield* copyCases(cases);
  yield* mapCases(cases);
  yield* markerCases(cases);
}

/** A side under another name, after whose rounds the device runs dry. */
export function settled(side: Side | undefined, settle: () => void, name: string = side?.name ?? ''): Side | undefined {
  return (
    side && {
      name,
      round: async () => {
        const ns = await side.round();
        settle();
        return ns;
      },
    }
  );
}

function* bufferCases({ bare, c, ctx, queue, theirs }: OpenCLCases): Generator<Case> {
  const raw = ctx.handle;
  yield {
    name: 'create and release a buffer, 1 MiB',
    unit: 'ns',
    sides: [
      c('create_release', ctx.handle, READ_WRITE, BYTES, COUNT),
      bareSide(
        bare('uint64_t clCreateBuffer(void *context, uint64_t flags, size_t bytes, void *host, void *status)'),
        bare('int clReleaseMemObject(void *memory)'),
        COUNT,
        (make, end) => {
          end(make(raw, READ_WRITE, BYTES, 0n, slot));
        },
      ),
      callSide('rawkernel', COUNT, () => {
        new cl.Buffer(ctx, READ_WRITE, BYTES).release();
      }),
      ...theirs('alloc'),
    ],
  };
  using pool = new cl.MemoryPool(new cl.ImmediateAllocator(queue));
  yield {
    name: 'from a pool and back, 1 MiB',
    unit: 'ns',
    sides: [
      callSide('rawkernel', COUNT, () => {
        pool.allocate(BYTES).release();
      }),
      ...theirs('pool'),
    ],
  };
}

function* mapCases({ c, ctx, queue, settle, theirs }: OpenCLCases): Generator<Case> {
  using buffer = new cl.Buffer(ctx, READ_WRITE, BYTES);
  cl.enqueueFill(queue, buffer, 0);
  settle();
  const flags = cl.MapFlags.READ | cl.MapFlags.WRITE;
  yield {
    name: 'map and unmap, 1 MiB',
    unit: 'ns',
    sides: [
      settled(c('map_unmap', queue.handle, buffer.handle, flags, BYTES, MAPS), settle),
      callSide(
        'rawkernel',
        MAPS,
        () => {
          cl.enqueueMapBuffer(queue, buffer, flags).unmap();
        },
        settle,
      ),
      ...theirs('map'),
    ],
  };
}

function* markerCases({ bare, c, queue, settle, theirs }: OpenCLCases): Generator<Case> {
  const raw = queue.handle;
  yield {
    name: 'a marker with its event',
    unit: 'ns',
    sides: [
      settled(c('marker', queue.handle, 0, COUNT), settle),
      bareSide(
        bare('int clEnqueueMarkerWithWaitList(void *queue, unsigned int count, void *list, void *event)'),
        bare('int clReleaseEvent(void *event)'),
        COUNT,
        (enqueue, release) => {
          enqueue(raw, 0, 0n, slot);
          release(slot[0]);
        },
        settle,
      ),
      callSide(
        'rawkernel',
        COUNT,
        () => {
          cl.enqueueMarker(queue);
        },
        settle,
      ),
      ...theirs('marker'),
    ],
  };
  yield {
    name: 'a marker and waiting for its event',
    unit: 'ns',
    sides: [
      c('marker', queue.handle, 1, COUNT),
      callSide('rawkernel', COUNT, () => {
        cl.enqueueMarker(queue).wait();
      }),
      ...theirs('marker wait'),
    ],
  };
}
