import { expect, test } from '@jest/globals';
import { claim, Handle, liveObjects, reclaim } from '../../../src/core/handle.ts';
import { runChild } from '../../helpers/child.ts';
import { expectWarnings } from '../../helpers/warnings.ts';
import { collect, turns, untilCollected } from '../../helpers/until.ts';

/** Handles that note in a list when they are destroyed. */
function destroyed(): { log: string[]; make: (name: string, parents?: Handle<string>[]) => Handle<string> } {
  const log: string[] = [];
  return { log, make: (name, parents = []) => new Handle(`test ${name}`, name, (value) => log.push(value), parents) };
}

/** Make an object without references that owns a handle. */
function drop(handle: Handle<string>, quiet = false): void {
  claim({ handle }, handle, quiet);
}

test('Handle.release() destroys with the last reference', () => {
  const { log, make } = destroyed();
  const handle = make('a');
  handle.retain();
  handle.release();
  expect([log, handle.alive]).toEqual([[], true]);
  handle.release();
  expect([log, handle.alive]).toEqual([['a'], false]);
});

test('Handle.release() of a destroyed handle does nothing', () => {
  const { log, make } = destroyed();
  const handle = make('a');
  handle.release();
  handle.release();
  expect(log).toEqual(['a']);
});

test('Handle.retain() of a destroyed handle throws', () => {
  const handle = destroyed().make('a');
  handle.release();
  expect(() => handle.retain()).toThrow('A destroyed test a was retained');
});

test('a parent outlives its children, in any order of release', () => {
  const { log, make } = destroyed();
  const parent = make('parent');
  const children = [make('first', [parent]), make('second', [parent])];
  parent.release();
  expect([log, parent.alive]).toEqual([[], true]);
  for (const child of children) child.release();
  expect(log).toEqual(['first', 'second', 'parent']);
});

test('a grandparent goes last', () => {
  const { log, make } = destroyed();
  const top = make('top');
  const middle = make('middle', [top]);
  const bottom = make('bottom', [middle]);
  for (const handle of [top, middle, bottom]) handle.release();
  expect(log).toEqual(['bottom', 'middle', 'top']);
});

test('a destroy function that throws still releases the parents', () => {
  const { log, make } = destroyed();
  const parent = make('parent');
  const child = new Handle(
    'test child',
    1,
    () => {
      throw new Error('no');
    },
    [parent],
  );
  parent.release();
  expect(() => {
    child.release();
  }).toThrow('no');
  expect(log).toEqual(['parent']);
});

test('liveObjects() counts by kind, and forgets what is gone', () => {
  const { make } = destroyed();
  const [a, b] = [make('counted'), make('counted')];
  expect(liveObjects()['test counted']).toBe(2);
  a.release();
  expect(liveObjects()['test counted']).toBe(1);
  b.release();
  expect(liveObjects()).not.toHaveProperty('test counted');
});

test('reclaim() destroys what a synchronous loop has dropped, and says how many', async () => {
  const warnings = expectWarnings('RAWKERNEL_LEAK');
  const { log, make } = destroyed();
  for (let i = 0; i < 100; i++) drop(make('dropped'));
  const count = reclaim();
  // The engine may keep the last one in a register.
  expect(count).toBeGreaterThanOrEqual(99);
  expect(log).toHaveLength(count);
  await turns();
  expect(warnings).toHaveLength(1);
});

test('reclaim() leaves referenced objects alone', () => {
  const { log, make } = destroyed();
  const owner = {};
  const handle = make('kept');
  const disown = claim(owner, handle);
  reclaim();
  expect(log).toEqual([]);
  disown();
  handle.release();
  expect(Object.keys(owner)).toEqual([]);
});

test('reclaim() destroys children and parents that were dropped together, children first', async () => {
  expectWarnings('RAWKERNEL_LEAK');
  const { log, make } = destroyed();
  const both = (): void => {
    const parent = make('parent of both');
    drop(parent);
    drop(make('child of both', [parent]));
  };
  both();
  reclaim();
  reclaim();
  expect(log).toEqual(['child of both', 'parent of both']);
  await turns();
});

test('the collector releases what was dropped, and it is said once for each kind', async () => {
  const warnings = expectWarnings('RAWKERNEL_LEAK');
  const { log, make } = destroyed();
  const several = (): void => {
    for (let i = 0; i < 10; i++) drop(make('leaked'));
  };
  several();
  await untilCollected('all are destroyed', () => log.length === 10);
  await turns();
  expect(warnings.map(String)).toEqual([
    expect.stringMatching(
      /A test leaked was collected without close\(\); close it, or declare it with `using`\nRAWKERNEL_TRACE=leaks tells where/,
    ),
  ]);
});

test('a quiet claim is collected without a word', async () => {
  const { log, make } = destroyed();
  const one = (): void => {
    drop(make('quiet'), true);
  };
  one();
  await untilCollected('it is destroyed', () => log.length > 0);
  await turns();
  expect(log).toEqual(['quiet']);
});

test('claim() can be taken back', async () => {
  const { log, make } = destroyed();
  const handle = make('disowned');
  const one = (): void => {
    claim({}, handle)();
  };
  one();
  await collect();
  reclaim();
  expect(log).toEqual([]);
  handle.release();
});

test('a clean-up that fails in the collector warns and does not throw', async () => {
  expectWarnings('RAWKERNEL_LEAK');
  const warnings = expectWarnings('RAWKERNEL_CLEANUP');
  const one = (): void => {
    const handle = new Handle('test failing', 'x', () => {
      throw new Error('driver says no');
    });
    drop(handle);
  };
  one();
  await untilCollected('it is said', () => warnings.length > 0);
  expect(warnings.map(String)).toEqual([
    expect.stringContaining('Clean-up of a collected test failing failed: Error: driver says no'),
  ]);
});

test('RAWKERNEL_TRACE=leaks tells where a collected object was made', async () => {
  const script = `
    import { claim, Handle, reclaim } from '@/src/core/handle.ts';
    function madeHere() { const h = new Handle('thing', 1, () => {}); claim({ h }, h); }
    madeHere(); madeHere(); madeHere();
    setTimeout(() => reclaim(), 10);`;
  const { stderr, code } = await runChild(script, { RAWKERNEL_TRACE: 'leaks' });
  expect(code).toBe(0);
  expect(stderr.match(/GpuWarning: A thing was collected/g)?.length).toBeGreaterThanOrEqual(2);
  expect(stderr).toMatch(/made here[^]*at madeHere/);
}, 30_000);

test('reclaim() works without --expose-gc', async () => {
  const script = `
    import { claim, Handle, liveObjects, reclaim } from '@/src/core/handle.ts';
    for (let i = 0; i < 50; i++) { const h = new Handle('thing', i, () => {}); claim({ h }, h, true); }
    console.log(reclaim() >= 49, typeof globalThis.gc);`;
  const { stdout } = await runChild(script, { NODE_OPTIONS: '' }, []);
  expect(stdout).toBe('true undefined\n');
}, 30_000);
