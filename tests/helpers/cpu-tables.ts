import { compileCuda, compileCudaLater } from '../../src/cpu/compiler/client.ts';
import { cpuDriver, currentCheckMode } from '../../src/cpu/driver-table.ts';
import { cpuNvrtc } from '../../src/cpu/nvrtc-table.ts';
import type { DriverTable, NvrtcTable } from '../../src/cuda/sys/tables.ts';

type DeviceOptions = Parameters<typeof cpuDriver>[0];

/** An embedded device of a test's own and its compiler, which checks where the current context does. */
export function cpuTables(options: DeviceOptions): { readonly driver: DriverTable; readonly nvrtc: NvrtcTable } {
  const driver = cpuDriver(options);
  const compiler = { compile: compileCuda, compileLater: compileCudaLater };
  return { driver, nvrtc: cpuNvrtc(compiler, () => currentCheckMode(driver)?.checks ?? false) };
}
