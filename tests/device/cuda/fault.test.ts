import { spawnSync } from 'node:child_process';
import { expect } from '@jest/globals';
import { needs } from '../../helpers/require.ts';
import { root } from '../../helpers/root.ts';

// A fault spoils the context of its process for good: each runs in a process of its own.
const PROGRAM = `
  import * as cuda from 'rawkernel/cuda';
  import 'rawkernel/cuda/autoinit';
  const module = new cuda.SourceModule(\`
    __global__ void innocent(int *x) { x[0] = 1; }
    __global__ void wild(int *x) { x[1LL << 40] = 1; }\`);
  const memory = cuda.memAlloc(4);
  module.getFunction('innocent')(memory, { block: 1 });
  module.getFunction('wild')(memory, { grid: 2, block: 64 });
  const report = [];
  for (const use of [() => cuda.memcpyDtoH(new Int32Array(1), memory), () => cuda.memAlloc(4)]) {
    try { use(); } catch (error) {
      report.push({ name: error.name, code: error.code, message: error.message, cause: error.cause?.code });
    }
  }
  memory.free();
  module.close();
  console.log(JSON.stringify(report));
`;

const gpu = needs.cuda();
const built = needs.build();

(gpu.missing === undefined ? built : gpu).test(
  'a fault names the last launches, and later errors name the fault',
  () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
      cwd: root,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [first, second] = JSON.parse(stdout) as { name: string; code: string; message: string; cause?: string }[];
    expect(first).toMatchObject({ name: 'CudaLaunchError', code: 'CUDA_ERROR_ILLEGAL_ADDRESS' });
    expect(first?.message).toMatch(/suspects wild grid \[2, 1, 1\] block \[64, 1, 1\]; innocent/);
    expect(second).toMatchObject({ code: 'CUDA_ERROR_ILLEGAL_ADDRESS', cause: 'CUDA_ERROR_ILLEGAL_ADDRESS' });
  },
);
