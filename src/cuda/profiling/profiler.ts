import { cu } from '../call.ts';

/**
 * Have a profiler that was started with "capture on demand" (`nsys profile --capture-range=cudaProfilerApi`,
 * `ncu --profile-from-start off`) collect from now on. Without a profiler this does nothing.
 *
 * Host: may block.
 *
 * @throws {@link CudaLogicError} no context is current
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { profilerStart, profilerStop } from 'rawkernel/cuda';
 *
 * profilerStart();
 * // the launches to look at
 * profilerStop();
 * ```
 * @see {@link https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PROFILER.html | Profiler control}
 */
export function profilerStart(): void {
  cu.cuProfilerStart();
}

/** End what {@link profilerStart} began. */
export function profilerStop(): void {
  cu.cuProfilerStop();
}

let depth = 0;

/**
 * {@link profilerStart} now, {@link profilerStop} where the scope ends. Of nested ones the outermost counts.
 *
 * @example
 * ```ts
 * import 'rawkernel/cuda/autoinit';
 * import { profile } from 'rawkernel/cuda';
 *
 * using profiling = profile();
 * // the launches to look at
 * ```
 */
export function profile(): Disposable {
  if (depth === 0) profilerStart();
  depth++;
  let open = true;
  return {
    [Symbol.dispose]() {
      if (!open) return;
      open = false;
      depth--;
      if (depth === 0) profilerStop();
    },
  };
}
