/**
 * The base of classes whose instances are called like functions: `super(f)` makes `f` itself the instance, so that a
 * class body adds methods, accessors and private state to it.
 */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- its constructor is its purpose
export abstract class Callable {
  constructor(call: (...args: never[]) => unknown, name: string) {
    Object.setPrototypeOf(call, new.target.prototype);
    Object.defineProperty(call, 'name', { value: name });
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- the function is the instance
    return call;
  }
}
