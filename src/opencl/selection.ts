import { isEmbeddedHandle } from '../core/embedded-handle.ts';
import type { CheckedDevice, KernelReport } from '../core/kernel-report.ts';
import { checksOf, opencl } from './select.ts';
import type { OpenCLTable } from './sys/tables.ts';

/**
 * Whether a platform is the embedded one.
 * @internal
 */
export function isEmbedded(platform: bigint): boolean {
  return isEmbeddedHandle(platform);
}

/**
 * The checked mode of the embedded platform, once the platform is in use.
 * @internal
 */
export function checkedDevice(): CheckedDevice | undefined {
  return checksOf();
}

/**
 * The embedded platform's reports about the kernel for which a call has just failed; empty on other platforms.
 * @internal
 */
export function faultReports(): readonly KernelReport[] {
  return checkedDevice()?.reportsOf(0n) ?? [];
}

/** Keep one value for each table, so that a change of tables cannot mix their handles. */
export function perTable<T>(make: () => T): () => T {
  const values = new WeakMap<OpenCLTable, T>();
  return () => {
    const table = opencl();
    let value = values.get(table);
    if (value === undefined) values.set(table, (value = make()));
    return value;
  };
}
