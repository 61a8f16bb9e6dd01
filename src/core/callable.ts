import { exact } from './instance.ts';
import { describeFacts, lineOf, showLegibly } from './public-object.ts';

const made = new WeakSet<object>();

/**
 * The base of classes whose instances are called like functions: `super(f)` makes `f` itself the instance, so that a
 * class body adds methods, accessors and private state to it.
 */
export abstract class Callable {
  constructor(call: (...args: never[]) => unknown, name: string) {
    Object.setPrototypeOf(call, new.target.prototype);
    Object.defineProperty(call, 'name', { value: name });
    made.add(call);
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- the function is the instance
    return call;
  }

  /** What it is, in one line: a function would show its source. */
  toString(): string {
    return lineOf(this);
  }
}
exact(Callable, (value) => made.has(value));
showLegibly(Callable.prototype);
describeFacts(Callable, (callable) => ({ name: (callable as unknown as { readonly name: string }).name }));
