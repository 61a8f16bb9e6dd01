// Run the examples on every available device: npm run demo [-- --device cuda:0 | opencl:0:0] [NAME ...]
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { cuda, opencl } from 'rawkernel';
import { ncclVersion } from 'rawkernel/nccl';

interface Target {
  /** `cuda:0`, `opencl:0:0`. */
  readonly id: string;
  readonly name: string;
  readonly kind: 'cuda' | 'opencl';
  /** Ranks of the examples that are jobs: on all devices of this kind, one each. They run with the first one. */
  readonly ranks?: number;
  /** Examples that run at once. Where they are compiled for the processor that takes most of the time; on a GPU they measure. */
  readonly atOnce: number;
  /** CUDA's ordinal. */
  readonly ordinal?: number;
  readonly device?: opencl.Device;
  readonly env: Record<string, string>;
}

const CORES = availableParallelism();
const folder = import.meta.dirname;
const { values, positionals } = parseArgs({ options: { device: { type: 'string' } }, allowPositionals: true });

/** The devices of one half, or the reason why there are none. */
function listed(kind: string, list: () => Target[]): { targets: Target[]; missing: string | undefined } {
  try {
    const targets = list();
    return { targets, missing: targets.length === 0 ? `${kind}: no device found` : undefined };
  } catch (error) {
    return { targets: [], missing: `${kind}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function cudaTargets(): Target[] {
  return Array.from({ length: cuda.Device.count() }, (_, i) => {
    const { name, isEmbedded } = new cuda.Device(i);
    const env = { RAWKERNEL_CUDA_DEVICE: String(i) };
    // Each process has an embedded device of its own.
    const ranks = i > 0 ? 0 : isEmbedded ? 3 : cuda.Device.count();
    return { id: `cuda:${i}`, name, kind: 'cuda' as const, ranks, atOnce: isEmbedded ? CORES : 1, ordinal: i, env };
  });
}

function openclTargets(): Target[] {
  // RAWKERNEL_CTX counts the platforms that have devices.
  const platforms = opencl.getPlatforms().filter((platform) => platform.getDevices().length > 0);
  return platforms.flatMap((platform, p) =>
    platform.getDevices().flatMap((device, d) => {
      const id = `opencl:${p}:${d}`;
      const name = `${device.name} (${platform.name})`;
      // The embedded device without clang's package.
      if (!device.compilerAvailable) return [];
      const atOnce = (device.getInfo('TYPE') & opencl.DeviceType.CPU) !== 0 ? CORES : 1;
      return [{ id, name, kind: 'opencl' as const, atOnce, device, env: { RAWKERNEL_CTX: `${p}:${d}` } }];
    }),
  );
}

/** The requirements of an example: a half of the package, then the required capabilities of the device. */
function requirements(path: string): readonly string[] {
  return /^\/\/ requires: (.*)$/m.exec(readFileSync(path, 'utf8'))?.[1]?.split(', ') ?? [];
}

/** Whether an example is the program of several processes. */
function isJob(path: string): boolean {
  return requirements(path)[0] === 'nccl';
}

/** Whether an example is one for a target. */
function isFor(target: Target, path: string): boolean {
  return isJob(path) ? (target.ranks ?? 0) > 0 : requirements(path)[0] === target.kind;
}

/** Capabilities that only an attempt reveals. */
const attempts: Readonly<Record<string, () => void>> = {
  arrays() {
    new cuda.OpaqueArray({ width: 1, dtype: 'f32' }).close();
  },
  nccl() {
    ncclVersion();
  },
  nvjitlink() {
    const program = cuda.Program.compile('__device__ int one() { return 1; }', { output: 'ltoir' });
    new cuda.Linker().add(program).link();
  },
  cudadevrt() {
    const source = '__global__ void child() {}\n__global__ void parent() { child<<<1, 1>>>(); }';
    cuda.dynamicSourceModule(source).close();
  },
};

const abilities = new Map<string, boolean>();

/**
 * Whether a device has what an example requires: `2 devices`, `images`, an OpenCL extension, an attribute of CUDA
 * (`CLUSTER_LAUNCH`), or one of the attempts.
 */
function isAble(target: Target, ability: string): boolean {
  const count = /^(\d+) devices$/.exec(ability)?.[1];
  if (count !== undefined)
    return halves.flatMap((half) => half.targets).filter(({ kind }) => kind === target.kind).length >= Number(count);
  if (target.device) {
    if (ability === 'images') return target.device.imageSupport;
    if (ability.startsWith('cl_')) return target.device.hasExtension(ability);
    throw new Error(`An example requires ${ability}, which is not known`);
  }
  const device = new cuda.Device(target.ordinal);
  if (Object.hasOwn(cuda.DeviceAttribute, ability)) {
    return device.getAttribute(ability as keyof typeof cuda.DeviceAttribute) !== 0;
  }
  const attempt = attempts[ability];
  if (!attempt) throw new Error(`An example requires ${ability}, which is not known`);
  const key = `${target.id} ${ability}`;
  const known = abilities.get(key);
  if (known !== undefined) return known;
  const context = new cuda.Context(device);
  let works = true;
  try {
    attempt();
  } catch {
    works = false;
  } finally {
    context.close();
  }
  abilities.set(key, works);
  return works;
}

const halves = [listed('CUDA', cudaTargets), listed('OpenCL', openclTargets)];
const targets = halves.flatMap((half) => half.targets).filter(({ id }) => (values.device ?? id) === id);
const examples = ['', 'cuda', 'nccl', 'opencl']
  .flatMap((part) =>
    readdirSync(join(folder, part))
      .sort()
      .map((file) => join(part, file)),
  )
  .filter((file) => /\.m?[jt]s$/.test(file) && file !== 'run.ts')
  .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)));

interface Outcome {
  readonly text: string;
  readonly result: 'passed' | 'failed' | 'passed over';
}

async function run(file: string, target: Target): Promise<Outcome> {
  const path = join(folder, file);
  const lacking = requirements(path)
    .slice(isJob(path) ? 0 : 1)
    .find((ability) => !isAble(target, ability));
  if (lacking !== undefined) return { text: `passed over: it requires ${lacking}`, result: 'passed over' };
  const argv = isJob(path)
    ? [join(folder, '../dist/cli/main.js'), 'launch', '-n', String(target.ranks), path]
    : ['--import', 'tsx', path];
  const child = spawn(process.execPath, argv, { env: { ...process.env, ...target.env } });
  const [out, errors, status] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ]);
  const hasPassed = status === 0 && out.includes('PASSED');
  return { text: `${out}${status === 0 ? '' : errors}`, result: hasPassed ? 'passed' : 'failed' };
}

let failed = 0;
let passedOver = 0;
for (const target of targets) {
  console.log(`\n${target.id}  ${target.name}`);
  const own = examples.filter((file) => isFor(target, join(folder, file)));
  const lanes = new Array<Promise<unknown>>(target.atOnce).fill(Promise.resolve());
  const outcomes = own.map((file, i) => {
    const outcome = (lanes[i % target.atOnce] as Promise<unknown>).then(() => run(file, target));
    lanes[i % target.atOnce] = outcome;
    return outcome;
  });
  for (const [i, file] of own.entries()) {
    const { text, result } = (await outcomes[i]) as Outcome;
    const lines = text.trimEnd().split('\n');
    console.log(`  ${file}\n${lines.map((line) => `    ${line}`).join('\n')}`);
    if (result === 'failed') failed++;
    if (result === 'passed over') passedOver++;
  }
}

const missing = halves.map((half) => half.missing).filter((text) => text !== undefined);
if (missing.length > 0) console.log(`\nNot there:\n\n${missing.join('\n\n')}`);
if (targets.length === 0) console.log('\nNo device was found to run the examples on.');
else {
  const result = failed === 0 ? 'All examples passed' : `${failed} failed`;
  const rest = passedOver === 0 ? '' : `; ${passedOver} passed over, which require more`;
  console.log(`\n${result} on ${targets.length} device(s)${rest}.`);
}
process.exitCode = failed === 0 ? 0 : 1;
