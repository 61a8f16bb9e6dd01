// Run the examples on every device that is there: npm run demo [-- --device cuda:0 | opencl:0:0] [NAME ...]
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cuda, opencl } from 'rawkernel';

interface Target {
  /** `cuda:0`, `opencl:0:0`. */
  readonly id: string;
  readonly name: string;
  readonly kind: 'cuda' | 'opencl';
  readonly env: Record<string, string>;
}

const folder = import.meta.dirname;
const { values, positionals } = parseArgs({ options: { device: { type: 'string' } }, allowPositionals: true });

/** The devices of one half, or why there are none. */
function listed(kind: string, list: () => Target[]): { targets: Target[]; missing: string | undefined } {
  try {
    const targets = list();
    return { targets, missing: targets.length === 0 ? `${kind}: no device found` : undefined };
  } catch (error) {
    return { targets: [], missing: `${kind}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function cudaTargets(): Target[] {
  return Array.from({ length: cuda.Device.count() }, (_, i) => ({
    id: `cuda:${i}`,
    name: new cuda.Device(i).name,
    kind: 'cuda' as const,
    env: { RAWKERNEL_CUDA_DEVICE: String(i) },
  }));
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
      return [{ id, name, kind: 'opencl' as const, env: { RAWKERNEL_CTX: `${p}:${d}` } }];
    }),
  );
}

const halves = [listed('CUDA', cudaTargets), listed('OpenCL', openclTargets)];
const targets = halves.flatMap((half) => half.targets).filter(({ id }) => (values.device ?? id) === id);
const examples = readdirSync(folder)
  .filter((file) => /^\d\d-.*\.ts$/.test(file))
  .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)));

let failed = 0;
for (const target of targets) {
  console.log(`\n${target.id}  ${target.name}`);
  for (const file of examples) {
    const path = join(folder, file);
    if (!readFileSync(path, 'utf8').includes(`// requires: ${target.kind}`)) continue;
    const env = { ...process.env, ...target.env };
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', path], {
      env,
      encoding: 'utf8',
    });
    const lines = `${stdout}${status === 0 ? '' : stderr}`.trimEnd().split('\n');
    console.log(`  ${file}\n${lines.map((line) => `    ${line}`).join('\n')}`);
    if (status !== 0 || !stdout.includes('PASSED')) failed++;
  }
}

const missing = halves.map((half) => half.missing).filter((text) => text !== undefined);
if (missing.length > 0) console.log(`\nNot there:\n\n${missing.join('\n\n')}`);
if (targets.length === 0) console.log('\nNo device was found to run the examples on.');
else console.log(`\n${failed === 0 ? 'All examples passed' : `${failed} failed`} on ${targets.length} device(s).`);
process.exitCode = failed === 0 ? 0 : 1;
