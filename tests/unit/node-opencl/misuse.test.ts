import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import type { Device } from '../../../src/opencl/device/device.ts';
import { choiceOf, openclDevices } from '../../helpers/opencl-devices.ts';
import { some } from '../../helpers/full.ts';
import { needs } from '../../helpers/require.ts';
import { root } from '../../helpers/root.ts';

const program = join(root, 'tests', 'helpers', 'node-opencl-misuse.mjs');
const platforms = new Map(openclDevices.map(([, device]) => [device.platform.name, device]));

const folder = mkdtempSync(join(tmpdir(), 'rawkernel-misuse-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A wrong call that reaches the driver ends the process: another one makes them all. */
for (const [platform, device] of some([...platforms], 2)) {
  const title = `${platform}: no call with what does not belong there crashes, or throws what is not an Error`;
  needs.build().test(title, () => expect(misuse(device)).toEqual({ signal: null, status: 0, odd: [] }), 100_000);
}

function misuse(device: Device): unknown {
  const log = join(folder, 'calls');
  const fd = openSync(log, 'w');
  const { signal, status, stdout } = spawnSync(process.execPath, ['--no-warnings', program, device.platform.name], {
    encoding: 'utf8',
    env: { ...process.env, ...choiceOf(device) },
    stdio: ['ignore', 'pipe', fd],
  });
  closeSync(fd);
  if (status === 0) return { signal, status, odd: JSON.parse(stdout) as unknown };
  return { signal, status, last: readFileSync(log, 'utf8').trimEnd().split('\n').slice(-12) };
}
