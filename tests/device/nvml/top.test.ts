import { expect, test } from '@jest/globals';
import { Device } from '../../../src/nvml/index.ts';
import { command } from '../../helpers/command.ts';
import { needs } from '../../helpers/require.ts';

needs.nvml().describe('the command line about real GPUs', () => {
  test('top --once --json has each of them', async () => {
    const { code, stdout } = await command(['top', '--once', '--json']);
    const { devices } = JSON.parse(stdout) as { devices: { uuid: string; memory: { totalBytes: number } }[] };
    expect(code).toBe(0);
    expect(devices.map(({ uuid }) => uuid)).toEqual(Device.all().map(({ uuid }) => uuid));
    for (const { memory } of devices) expect(memory.totalBytes).toBeGreaterThan(2 ** 28);
  });

  test('top --csv - has as many cells as names in each line', async () => {
    const { stdout } = await command(['top', '--csv', '-', '--count', '3', '--interval', '0.2']);
    const rows = stdout.trimEnd().split('\n');
    // Names of GPUs have no commas.
    const cells = rows.map((row) => row.split(',').length);
    expect(new Set(cells).size).toBe(1);
    expect(rows).toHaveLength(1 + 3 * Device.all().length);
  });

  test('the live view draws them', async () => {
    const around = { terminal: true, size: { columns: 120, rows: 60 }, env: { NO_COLOR: '1' } };
    const { code, stdout } = await command(['top', '--count', '2', '--interval', '0.2', '--device', '0'], around);
    expect(code).toBe(0);
    expect(stdout).toContain(`GPU 0  ${new Device(0).name}`);
    expect(stdout).toMatch(/ load {3}\d+ % .*[▁▂▃▄▅▆▇█]{2}/);
  });

  test('info has a section of each', async () => {
    const { stdout } = await command(['info', 'cuda', '--json']);
    const { nvml } = JSON.parse(stdout) as { nvml: { driverVersion: string; devices: { uuid: string }[] } };
    expect(nvml.driverVersion).toMatch(/^\d+\.\d+/);
    expect(nvml.devices.map(({ uuid }) => uuid)).toEqual(Device.all().map(({ uuid }) => uuid));
  });
});
