import * as cuda from '../../src/cuda/index.ts';
import type { AddEntry } from './cuda-misuse.ts';

/** What the entries share. */
interface Shared {
  readonly memory: cuda.DeviceAllocation;
  readonly host: Uint8Array;
  readonly stream: cuda.Stream;
  readonly event: cuda.Event;
  readonly add: cuda.Function;
}

/** The functions and methods of graphs, captures, and values that streams write. */
export function graphEntries(entry: AddEntry, { memory, host, stream, event, add }: Shared): void {
  const graph = new cuda.Graph();
  const child = new cuda.Graph();
  const node = graph.addMemset(memory, 0, 4);
  const exec = graph.instantiate();
  entry('Graph.addMemcpy', (to: never, from: never) => graph.addMemcpy(to, from), [memory, 'device'], [host, 'any']);
  entry(
    'Graph.addMemset',
    (to: never, value: never, count: never) => graph.addMemset(to, value, count),
    [memory, 'device'],
    [1, 'offset'],
    [4, 'size'],
  );
  entry(
    'Graph.addKernel',
    (kernel: never, options: never) => graph.addKernel(kernel, [memory, 1], options),
    [add, 'event'],
    [{ block: 1 }, 'launch'],
  );
  entry('Graph.addEmpty', (options: never) => graph.addEmpty(options), [{}, 'options']);
  entry('Graph.addEventRecord', (value: never) => graph.addEventRecord(value), [event, 'event']);
  entry('Graph.addEventWait', (value: never) => graph.addEventWait(value), [event, 'event']);
  entry('Graph.addChild', (value: never) => graph.addChild(value), [child, 'event']);
  entry('Graph.addMemAlloc', (size: never) => graph.addMemAlloc(size), [16, 'size']);
  entry('Graph.instantiate', (options: never) => graph.instantiate(options), [{}, 'options']);
  entry(
    'Graph.remove',
    (value: never) => {
      graph.remove(value);
    },
    [node, 'event'],
  );
  entry(
    'GraphExec.launch',
    (on: never) => {
      exec.launch(on);
    },
    [stream, 'stream'],
  );
  entry('GraphExec.tryUpdate', (other: never) => exec.tryUpdate(other), [graph, 'event']);
  entry(
    'Stream.waitValue',
    (at: never, value: never) => {
      stream.waitValue(at, value);
    },
    [memory, 'device'],
    [1, 'offset'],
  );
  entry('Context.fromHandle', (handle: never) => cuda.Context.fromHandle(handle), [1n, 'integer']);
  entry(
    'new GreenContext',
    (device: never, options: never) => new cuda.GreenContext(device, options),
    [new cuda.Device(0), 'event'],
    [{ multiprocessors: 1 }, 'options'],
  );
}
