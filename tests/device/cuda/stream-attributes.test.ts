import { expect } from '@jest/globals';
import { runChild } from '../../helpers/child.ts';
import { needs } from '../../helpers/require.ts';

/** Each says its name before it asks: of a driver that ends the process, the last one is the culprit. */
const ASK = `
  import { writeSync } from 'node:fs';
  import * as cuda from '@/src/cuda/index.ts';
  const ask = (name, run) => {
    writeSync(1, name + ': ');
    let answer;
    try {
      answer = Object.keys(run()).includes('synchronizationPolicy') ? 'answered' : 'nothing';
    } catch (error) {
      answer = error.constructor.name + (error.status === undefined ? '' : ' ' + error.status);
    }
    writeSync(1, answer + '\\n');
  };
  const context = new cuda.Context();
  const stream = new cuda.Stream();
  const foreign = cuda.Stream.fromHandle(stream.handle);
  const legacy = cuda.Stream.fromHandle(0n);
  const named = cuda.Stream.fromHandle(1n);
  const perThread = cuda.Stream.perThread();
  ask('own', () => stream.getAttributes());
  ask('foreign', () => foreign.getAttributes());
  ask('legacy', () => legacy.getAttributes());
  ask('legacy by its name', () => named.getAttributes());
  ask('per thread', () => perThread.getAttributes());
  for (const mode of ['relaxed', 'global']) {
    const captured = new cuda.Stream({ nonBlocking: true });
    captured.beginCapture(mode);
    ask('captured ' + mode, () => captured.getAttributes());
    captured.close();
  }
  const away = cuda.Context.pop();
  ask('own, no context', () => stream.getAttributes());
  ask('foreign, no context', () => foreign.getAttributes());
  ask('per thread, no context', () => perThread.getAttributes());
  ask('set, no context', () => (stream.setAttributes({ synchronizationPolicy: 'spin' }), stream.getAttributes()));
  ask('copied, no context', () => (stream.copyAttributes(foreign), stream.getAttributes()));
  away.close();
  context.close();
  ask('own, closed context', () => stream.getAttributes());
  stream.close();
  ask('closed', () => stream.getAttributes());`;

needs.cuda().test(
  'the attributes of a stream can be asked for in every state',
  async () => {
    const { code, signal, stdout } = await runChild(ASK);
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    const answers = Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(': ') as [string, string]),
    );
    expect(answers).toMatchObject({
      own: 'answered',
      foreign: 'answered',
      'own, no context': 'answered',
      'foreign, no context': 'answered',
      'per thread, no context': 'CudaLogicError 201',
      'set, no context': 'answered',
      'copied, no context': 'answered',
      'own, closed context': 'answered',
      closed: 'ClosedError',
    });
    // What a driver says of its own streams, and in a capture, is its matter.
    for (const name of ['legacy', 'legacy by its name', 'per thread', 'captured relaxed', 'captured global']) {
      expect(answers[name]).toMatch(/^(?:answered|nothing|Cuda\w+Error \d+)$/);
    }
  },
  60_000,
);
