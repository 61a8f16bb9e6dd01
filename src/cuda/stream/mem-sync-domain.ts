import { checkInteger, checkOptions } from '../../core/check.ts';
import { MemSyncDomain } from '../sys/enums.ts';
import { structs } from '../sys/structs.ts';

/** Which of the device's domains of memory operations the two names mean, numbers from 0. */
export interface MemSyncDomainMap {
  readonly default: number;
  readonly remote: number;
}

/** The names of the domains. */
export const MEM_SYNC_DOMAINS: Readonly<Record<'default' | 'remote', number>> = {
  default: MemSyncDomain.DEFAULT,
  remote: MemSyncDomain.REMOTE,
};

const values = structs.CUlaunchAttributeValue.fields;

/** Write a CUlaunchMemSyncDomainMap. */
export function writeDomainMap(view: DataView, at: number, map: MemSyncDomainMap): void {
  checkOptions(map, ['default', 'remote'], 'memSyncDomainMap');
  const domain = (value: unknown, name: string): number => checkInteger(value, `memSyncDomainMap.${name}`, 0, 255);
  view.setUint8(at + values['memSyncDomainMap.default_'], domain(map.default, 'default'));
  view.setUint8(at + values['memSyncDomainMap.remote'], domain(map.remote, 'remote'));
}

/** Read a CUlaunchMemSyncDomainMap. */
export function readDomainMap(view: DataView, at: number): MemSyncDomainMap {
  return {
    default: view.getUint8(at + values['memSyncDomainMap.default_']),
    remote: view.getUint8(at + values['memSyncDomainMap.remote']),
  };
}
