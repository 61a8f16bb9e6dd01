import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import koffi from 'koffi';
import { startThread } from '../../../src/core/package-thread.ts';
import { callOnThread, type ThreadCall } from '../../../src/ffi/call-thread.ts';
import { addressOf } from '../../../src/ffi/memory.ts';
import { needs } from '../../helpers/require.ts';

// What it notes belongs to a thread, as a driver's current context and NCCL's open group do.
const C = `
  #include <stdint.h>
  #include <unistd.h>
  static __thread uint64_t current;
  static __thread int group;
  struct id { char internal[128]; };
  int set_current(void *value) { current = (uint64_t)value; return 0; }
  int open_group(void) { group++; return 0; }
  int close_group(int *depth) { *depth = group--; return 0; }
  int make(uint64_t *out, int size, struct id id, int rank, const int *config) {
    *out = current + 100 * size + 10 * rank + id.internal[127] + *config;
    return 7;
  }
  int wait_for(volatile int *gate) { while (*gate == 0) usleep(100); return *gate; }
`;
const TYPES = { id_t: 'bytes128', handle_t: 'handle' };

/** A module of the sources. */
const SOURCE = new URL('../../../src/ffi/call-thread.ts', import.meta.url).href;

const onThread = (all: readonly ThreadCall[]): ReturnType<typeof callOnThread> =>
  callOnThread(all, (data) => startThread(SOURCE, 'ffi/caller', { name: 'call', data }));

needs.command('gcc').describe('calls on a thread of their own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-thread-'));
  const library = join(folder, 'calls.so');

  beforeAll(() => {
    const { status, stderr } = spawnSync('gcc', ['-shared', '-fPIC', '-x', 'c', '-', '-o', library], {
      input: C,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function call(prototype: string, args: readonly unknown[], more: Partial<ThreadCall> = {}): ThreadCall {
    return { library, prototype, types: TYPES, args, good: [0], ...more };
  }

  function memory(): { readonly words: Int32Array; readonly address: bigint } {
    const words = new Int32Array(new ArrayBuffer(8));
    return { words, address: addressOf(words) };
  }

  const setCurrent = (value: bigint, more?: Partial<ThreadCall>): ThreadCall =>
    call('int set_current(handle_t value)', [value], more);

  function make(out: bigint, rank: number, config: bigint): ThreadCall {
    const internal = new Uint8Array(128).fill(1, 127);
    return call('int make(_Out_ uint64_t *out, int size, id_t id, int rank, const int *config)', [
      out,
      3,
      { internal },
      rank,
      config,
    ]);
  }

  test('one thread makes all of them, in their order, and writes to memory where it is', async () => {
    const [first, second, config] = [memory(), memory(), memory()];
    config.words[0] = 5;
    const calls = [
      setCurrent(1000n),
      { ...make(first.address, 0, config.address), good: [7] },
      setCurrent(2000n),
      { ...make(second.address, 2, config.address), good: [7] },
    ];
    await expect(onThread(calls)).resolves.toEqual([0, 7, 0, 7]);
    expect(first.words[0]).toBe(1000 + 300 + 1 + 5);
    expect(second.words[0]).toBe(2000 + 300 + 20 + 1 + 5);
  });

  test('it is another thread than the program', async () => {
    const mine = koffi.load(library);
    mine.func('set_current', 'int', ['void *'])(50n);
    const [out, config] = [memory(), memory()];
    await expect(onThread([make(out.address, 0, config.address)])).resolves.toEqual([7]);
    expect(out.words[0]).toBe(301);
  });

  test('the event loop goes on', async () => {
    const gate = memory();
    const answer = onThread([call('int wait_for(int *gate)', [gate.address])]);
    // Nothing else opens the gate.
    setImmediate(() => (gate.words[0] = 9));
    await expect(answer).resolves.toEqual([9]);
  });

  test('after a failure only what ends something is called', async () => {
    const [depth, out, gate] = [memory(), memory(), memory()];
    gate.words[0] = 3;
    const calls = [
      call('int open_group(void)', []),
      call('int wait_for(int *gate)', [gate.address]),
      make(out.address, 0, gate.address),
      call('int close_group(_Out_ int *depth)', [depth.address], { isEnd: true }),
      setCurrent(1n),
    ];
    await expect(onThread(calls)).resolves.toEqual([0, 3, undefined, 0, undefined]);
    expect([depth.words[0], out.words[0]]).toEqual([1, 0]);
  });

  test.each([
    ['a library that is not there', { library: join(tmpdir(), 'nowhere.so') }],
    ['a function that it lacks', { prototype: 'int other(handle_t value)' }],
  ])('%s: nothing is called', async (_, more) => {
    const gate = memory();
    const calls = [
      call('int open_group(void)', []),
      setCurrent(1n, more),
      call('int wait_for(int *gate)', [gate.address]),
    ];
    await expect(onThread(calls)).resolves.toBeUndefined();
  });
});
