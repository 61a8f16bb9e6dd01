const KEPT = 8;
const DIMS = 6;

interface Named {
  readonly name: string;
}

const kernels: (Named | undefined)[] = new Array<Named | undefined>(KEPT).fill(undefined);
const dims = new Uint32Array(KEPT * DIMS);
let next = 0;

/** Remember a launch for the error of a fault that a later call reports. Allocates nothing. */
export function rememberLaunch(kernel: Named, config: Uint32Array): void {
  kernels[next] = kernel;
  for (let i = 0; i < DIMS; i++) dims[next * DIMS + i] = config[i] ?? 0;
  next = (next + 1) % KEPT;
}

/** The last launches, the latest first: `saxpy grid [4, 1, 1] block [256, 1, 1]`. */
export function recentLaunches(): string | undefined {
  const lines: string[] = [];
  for (let back = 1; back <= KEPT; back++) {
    const i = (next - back + KEPT) % KEPT;
    const kernel = kernels[i];
    if (!kernel) break;
    const at = i * DIMS;
    const grid = dims.subarray(at, at + 3).join(', ');
    const block = dims.subarray(at + 3, at + 6).join(', ');
    lines.push(`${kernel.name} grid [${grid}] block [${block}]`);
  }
  return lines.length === 0 ? undefined : lines.join('; ');
}
