/**
 * The base of classes whose instances are called like functions: `super(f)` makes `f` itself the instance, so that a
 * class body adds methods, accessors and private state to it.
 */
export abstract class Callable {
  constructor(call: (...args: never[]) => unknown, name: string) {
    Object.setPrototypeOf(call, new.target.prototype as object);
    Object.defineProperty(call, 'name', { value: name });
    // eslint-disable-next-line no-constructor-return -- the function is the instance
    return call as unknown as this;
  }
}
