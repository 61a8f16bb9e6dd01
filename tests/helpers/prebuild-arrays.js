// A part of the package's build: compiles the common kernels of arrays for the embedded device into dist, so that a first
// program with arrays need not wait for the compiler.
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', 'dist', 'cpu', 'kernels');
rmSync(folder, { recursive: true, force: true });
process.env.RAWKERNEL_DEVICE = 'cpu';
process.env.RAWKERNEL_CACHE_DIR = folder;
Reflect.deleteProperty(process.env, 'RAWKERNEL_NO_CACHE');
Reflect.deleteProperty(process.env, 'RAWKERNEL_CPU_CHECK');

const { Context, Device } = await import('../../dist/cuda/index.js');
const cuda = await import('../../dist/cuda/array/index.js');
const cl = await import('../../dist/opencl/index.js');
const opencl = await import('../../dist/opencl/array/index.js');

/** Operations of arrays without gaps, of the default dtype. */
function compute(xp, options) {
  const x = xp.ones([4, 4], options);
  const y = xp.arange(16, options).reshape([4, 4]);
  for (const name of ['add', 'subtract', 'multiply', 'divide', 'maximum', 'minimum']) {
    x[name](y).close();
    x[name](2).close();
  }
  for (const name of ['negative', 'abs', 'sqrt', 'exp', 'log', 'sin', 'cos', 'square']) x[name]().close();
  for (const name of ['less', 'greater', 'equal']) x[name](y).close();
  for (const name of ['sum', 'max', 'min', 'mean']) x[name]().close();
  x.T.copy().close();
}

const context = new Context(new Device(0));
compute(cuda);
context.close();
const device = cl
  .getPlatforms()
  .flatMap((platform) => platform.getDevices())
  .find(({ isEmbedded }) => isEmbedded);
const ctx = new cl.Context([device]);
const queue = new cl.CommandQueue(ctx);
compute(opencl, { queue });
queue.close();
ctx.close();
