import { expect, test } from '@jest/globals';
import { Callable } from '../../../src/core/callable.ts';

class Adder extends Callable {
  readonly #by: number;

  constructor(by: number) {
    const call = (value: number): number => value + self.#by;
    super(call, `add${by}`);
    const self = this as Adder;
    this.#by = by;
  }

  get by(): number {
    return this.#by;
  }
}

test('a Callable is called like a function', () => {
  const add = new Adder(3);
  expect((add as unknown as (value: number) => number)(4)).toBe(7);
});

test('a Callable has its class: members, private state, instanceof', () => {
  const add = new Adder(3);
  expect([add.by, add instanceof Adder, add instanceof Callable]).toEqual([3, true, true]);
});

test('a Callable has the name that it was given', () => {
  expect((new Adder(3) as unknown as { name: string }).name).toBe('add3');
});
