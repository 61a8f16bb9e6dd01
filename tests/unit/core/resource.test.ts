import { expect, test } from '@jest/globals';
import { ClosedError } from '../../../src/core/errors.ts';
import { Handle, liveObjects } from '../../../src/core/handle.ts';
import { handleOf, closeOnce, Resource } from '../../../src/core/resource.ts';

class Thing extends Resource<number> {
  constructor(log: number[], value: number, parents: Handle<number>[] = []) {
    super(new Handle('test Thing', value, (raw) => log.push(raw), parents));
  }

  read(): number {
    return this.use('read');
  }

  free(): void {
    closeOnce(this, 'free');
  }
}

test('Resource.close() destroys', () => {
  const log: number[] = [];
  const thing = new Thing(log, 7);
  expect([thing.read(), thing.closed]).toEqual([7, false]);
  thing.close();
  expect([log, thing.closed]).toEqual([[7], true]);
});

test('Resource.close() a second time does nothing', () => {
  const log: number[] = [];
  const thing = new Thing(log, 7);
  thing.close();
  thing.close();
  expect(log).toEqual([7]);
});

test('Resource.use() after close() throws ClosedError, naming class and method', () => {
  const thing = new Thing([], 7);
  thing.close();
  expect(() => thing.read()).toThrow(ClosedError);
  expect(() => thing.read()).toThrow('Thing.read: this Thing is closed');
});

test('`using` closes at the end of the block', () => {
  const log: number[] = [];
  {
    using thing = new Thing(log, 7);
    expect(thing.closed).toBe(false);
  }
  expect(log).toEqual([7]);
});

test('`using` closes when the block throws, and after an explicit close', () => {
  const log: number[] = [];
  expect(() => {
    using first = new Thing(log, 1);
    using second = new Thing(log, 2);
    first.close();
    throw new Error(`on purpose, with ${second.read()}`);
  }).toThrow('on purpose, with 2');
  expect(log).toEqual([1, 2]);
});

test('a verb that frees throws at the second time', () => {
  const thing = new Thing([], 7);
  thing.free();
  expect(() => {
    thing.free();
  }).toThrow(new ClosedError('Thing', 'free'));
});

test('close() and `using` after a verb that frees do nothing', () => {
  const log: number[] = [];
  {
    using thing = new Thing(log, 7);
    thing.free();
    thing.close();
  }
  expect(log).toEqual([7]);
});

test('a verb that frees throws after close()', () => {
  const thing = new Thing([], 7);
  thing.close();
  expect(() => {
    thing.free();
  }).toThrow(ClosedError);
});

test('a parent that is closed first is destroyed after its child', () => {
  const log: number[] = [];
  const parent = new Thing(log, 1);
  const child = new Thing(log, 2, [handleOf(parent, 'child')]);
  parent.close();
  expect([log, parent.closed]).toEqual([[], true]);
  expect(() => handleOf(parent, 'child')).toThrow('Thing.child: this Thing is closed');
  child.close();
  expect(log).toEqual([2, 1]);
});

test('10,000 resources created and closed leave none', () => {
  const log: number[] = [];
  for (let i = 0; i < 10_000; i++) new Thing(log, i).close();
  expect(log).toHaveLength(10_000);
  expect(liveObjects()).not.toHaveProperty('test Thing');
});
