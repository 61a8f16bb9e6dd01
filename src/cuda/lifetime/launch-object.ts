import { Handle, type AnyHandle } from '../../core/handle.ts';
import { checkMade } from '../../core/maker.ts';
import { Resource } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import type { Arguments, Routine } from '../call.ts';
import { destroyIn } from '../device/context.ts';
import { whenIdle } from '../device/idle.ts';

type CUcontext = Opaque<'CUcontext'>;

/** What kernels take by value, as an `unsigned long long` that only the driver understands: a texture, a surface. */
export abstract class LaunchObject extends Resource<bigint> {
  /** @internal */
  constructor(handle: Handle<bigint>) {
    checkMade(handle instanceof Handle, 'LaunchObject', 'write new Texture(source) or new Surface(array)');
    super(handle);
  }

  /** The number that kernels take, borrowed: good until it is closed. For a field of a struct, say. */
  get handle(): bigint {
    return this.use('handle');
  }
}

/** The number behind such an object; undefined for anything else. */
export function objectHandle(value: unknown): bigint | undefined {
  return value instanceof LaunchObject ? value.use('launch') : undefined;
}

/**
 * Destroy what a kernel may still use, once the context is idle. The driver waits for freed memory by itself, and
 * not for textures, surfaces and arrays.
 *
 * @param parents - what has to outlive it
 */
export function destroyIdle<Name extends Routine>(
  context: Handle<CUcontext>,
  parents: readonly AnyHandle[],
  routine: Name,
  ...args: Arguments<Name>
): void {
  whenIdle(context, parents, () => {
    destroyIn(context, routine, ...args);
  });
}
