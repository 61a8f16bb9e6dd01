import type { NcclTable } from '../nccl/sys/tables.ts';
import { driver } from './device.ts';
import { stateOf } from './driver-table.ts';
import { cpuNccl } from './nccl-table.ts';

let table: NcclTable | undefined;

/** NCCL for the embedded device of this process or thread. */
export function ncclTable(): NcclTable {
  table ??= cpuNccl({ driver: driver(), state: stateOf(driver()) });
  return table;
}
