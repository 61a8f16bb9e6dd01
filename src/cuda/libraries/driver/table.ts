import { beforeTimelineCloses, timeline } from '../../../core/timeline.ts';
import { wrapTable } from '../../../ffi/bind.ts';
import { LibraryTable } from '../../../ffi/library-table.ts';
import { showLaunchConfig } from '../../launch-config.ts';
import { functions, since } from '../../sys/driver.ts';
import type { DriverTable } from '../../sys/tables.ts';
import { DriverTimeline } from '../../timeline.ts';
import { DRIVER } from '../../toolkit.ts';
import { take } from '../../../ffi/slot.ts';
import { slotOf } from '../../slots.ts';

/**
 * Functions whose callers check the arguments themselves: the launch path and the queries that polling asks.
 * @internal
 */
export const HOT: readonly string[] = ['cuLaunchKernel', 'cuLaunchKernelEx', 'cuEventQuery', 'cuStreamQuery'];

/** The CUDA driver. */
export const driverLibrary: LibraryTable<typeof functions> = new LibraryTable({
  description: DRIVER,
  functions,
  hot: HOT,
  whoHas: (name) => (since[name] === undefined ? undefined : `drivers for CUDA ${since[name]} and newer have it`),
  version: versionOf,
  describers: { CUlaunchConfig: showLaunchConfig },
  over: measured,
});

/** For which CUDA a driver is. */
function versionOf(table: Pick<DriverTable, 'cuDriverGetVersion'>): string | undefined {
  const slot = slotOf('int');
  if (table.cuDriverGetVersion(slot) !== 0) return undefined;
  const version = take(slot);
  return `for CUDA ${Math.floor(version / 1000)}.${Math.floor((version % 1000) / 10)}`;
}

/** With `RAWKERNEL_TRACE=timeline` the calls are measured. */
function measured(table: DriverTable, bare: DriverTable): DriverTable {
  const file = timeline();
  if (!file) return table;
  const watcher = new DriverTimeline(bare, file);
  beforeTimelineCloses(() => watcher.finish());
  return wrapTable(functions, table, (...call) => watcher.watch(...call));
}
