import * as nvml from '../../nvml/index.ts';
import { FactList, megahertz, size, yesNo, type Described } from './facts.ts';
import { clean } from '../fit.ts';
import { firstLineOf } from '../output.ts';
import { bytes } from '../table.ts';

/** Every GPU that NVML may be asked about. One that is lost is among them. */
export function gpus(): Described[] {
  return Array.from({ length: nvml.Device.count() }, (_, i) => {
    try {
      const device = nvml.optional(() => new nvml.Device(i));
      return device && describe(device, i);
    } catch (error) {
      return { id: `nvml:${i}`, name: firstLineOf(error), facts: [] };
    }
  }).filter((described) => described !== undefined);
}

function describe(device: nvml.Device, index: number): Described {
  const { ecc, pcie, power, clocks } = device;
  const list = new FactList()
    .add('error', 'does not answer', () => errorOf(device))
    .add('uuid', 'UUID', () => device.uuid)
    .add('busId', 'PCI bus id', () => device.busId)
    .add('architecture', 'architecture', () => device.architecture)
    .add('memoryBytes', 'memory', () => device.memory.totalBytes, size)
    .add('usedMemoryBytes', '  used', () => device.memory.usedBytes, size)
    .add('gpuPercent', 'load', () => device.utilization.gpuPercent, percent)
    .add('memoryPercent', '  of the memory', () => device.utilization.memoryPercent, percent)
    .add('temperatureCelsius', 'temperature', () => device.temperatureCelsius, celsius)
    .add('memoryTemperatureCelsius', '  of the memory', () => device.memoryTemperatureCelsius, celsius)
    .add('fanPercent', 'fan', () => device.fanSpeedPercent(), percent)
    .add('powerWatts', 'power', () => power.usageWatts, watts)
    .add('powerLimitWatts', '  limit', () => power.enforcedLimitWatts, watts)
    .add(
      'performanceState',
      'performance state',
      () => device.performanceState,
      (state) => `P${state}`,
    )
    .add('smMHz', 'clock of the multiprocessors', () => clocks.currentMHz('sm'), megahertz)
    .add('maxSmMHz', '  at most', () => clocks.maxMHz('sm'), megahertz)
    .add('memoryMHz', 'clock of the memory', () => clocks.currentMHz('memory'), megahertz)
    .add('maxMemoryMHz', '  at most', () => clocks.maxMHz('memory'), megahertz)
    .add('throttleReasons', 'slowed by', () =>
      nonEmpty(clocks.throttleReasons.filter((reason) => reason !== 'gpuIdle')),
    )
    .add('pcie', 'PCIe', () => ({ generation: pcie.generation, width: pcie.width }), link)
    .add('maxPcie', '  at most', () => ({ generation: pcie.maxGeneration, width: pcie.maxWidth }), link)
    .add('nvlinks', 'NVLinks that are up', () => device.nvlinks().filter(({ active }) => active).length || undefined)
    .add('persistenceMode', 'persistence mode', () => device.persistenceMode, yesNo)
    .add('computeMode', 'compute mode', () => device.computeMode)
    .add('ecc', 'ECC', () => ecc.enabled, yesNo)
    .add('correctedErrors', '  corrected errors', () => ecc.errors('corrected', 'volatile'))
    .add('uncorrectedErrors', '  uncorrected errors', () => ecc.errors('uncorrected', 'volatile'))
    .add('mig', 'MIG', () => device.mig.enabled, yesNo)
    .add('migDevices', '  parts', () => nonEmpty(device.migDevices().map(({ uuid }) => uuid)))
    .add('processes', 'processes', () => device.processes(), processText);
  return { id: `nvml:${index}`, name: nvml.optional(() => device.name) ?? 'unknown', facts: list.facts };
}

/** Why nothing, or not everything, follows. */
function errorOf(device: nvml.Device): string | undefined {
  try {
    device.snapshot();
    return undefined;
  } catch (error) {
    return firstLineOf(error);
  }
}

function nonEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

function processText(processes: readonly nvml.GpuProcess[]): string {
  const each = processes.map(({ pid, name = '?', usedBytes }) => {
    return `${pid} ${clean(name)}${usedBytes === undefined ? '' : ` (${bytes(usedBytes)})`}`;
  });
  return each.join(', ') || 'none';
}

const percent = (value: number): string => `${value} %`;
const celsius = (value: number): string => `${value} °C`;
const watts = (value: number): string => `${Math.round(value)} W`;
const link = ({ generation, width }: { readonly generation: number; readonly width: number }): string =>
  `generation ${generation}, ${width} lanes`;
