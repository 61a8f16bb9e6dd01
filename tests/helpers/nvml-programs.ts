import * as entry from '../../src/nvml/index.ts';
import { read, type Program } from './faults.ts';
import { fakeNvmlGround } from './nvml-ground.ts';
import { retrying } from './retrying.ts';

const nvml = retrying(entry);
const device = (): entry.Device => new nvml.Device(0);

/** What takes arguments. */
export const NVML_PROGRAMS: Readonly<Record<string, Program>> = {
  count: () => read(nvml.Device.count()),
  'by UUID': () => read(new nvml.Device(device().uuid)),
  'by serial number': () => read(new nvml.Device({ serial: device().serial })),
  'by bus id': () => read(new nvml.Device(device().pcie.info.busId)),
  driver: () => read(nvml.driverVersion(), nvml.nvmlVersion(), nvml.cudaDriverVersion()),
  processName: () => read(nvml.processName(100)),
  processes: () => read(device().processes('compute'), device().processes('graphics'), device().processes('mps')),
  snapshot: () => read(device().snapshot()),
  setPersistenceMode: () => device().settings().setPersistenceMode('enabled'),
  setComputeMode: () => device().settings().setComputeMode('default'),
  setPowerLimitWatts: () => device().settings().setPowerLimitWatts(200),
  lockGraphicsClocks: () => device().settings().lockGraphicsClocks(500, 900),
  unlockGraphicsClocks: () => device().settings().unlockGraphicsClocks(),
  lockMemoryClocks: () => device().settings().lockMemoryClocks(500, 900),
  unlockMemoryClocks: () => device().settings().unlockMemoryClocks(),
  setApplicationClocks: () => device().settings().setApplicationClocks(2619, 1980),
  resetApplicationClocks: () => device().settings().resetApplicationClocks(),
  setAccountingMode: () => device().settings().setAccountingMode('enabled'),
  clearEccErrors: () => device().settings().clearEccErrors('volatile'),
  clocks: () => {
    const { clocks } = device();
    for (const domain of ['graphics', 'memory'] as const) {
      clocks.currentMHz(domain);
      clocks.maxMHz(domain);
      clocks.applicationMHz(domain);
      clocks.defaultApplicationMHz(domain);
    }
    clocks.violation('power');
    clocks.supportedGraphicsMHz(2619);
  },
  'two devices': () => {
    const other = new nvml.Device(1);
    device().commonAncestor(other);
    device().onSameBoard(other);
    device().p2pStatus(other, 'read');
  },
  errors: () => {
    device().ecc.retiredPages('doubleBitEccError');
    device().ecc.errors('corrected', 'volatile', 'dram');
  },
  throughput: () => read(device().pcie.throughputBytesPerSecond('tx')),
  threshold: () => read(device().temperatureThresholdCelsius('shutdown')),
  fieldValues: () => {
    device().fieldValue(82, 0);
    device().fieldValues([{ fieldId: 82, scopeId: 0 }]);
  },
  optional: () => read(nvml.optional(() => device().name)),
  samples: () => read(device().samples('gpuPercent')),
  'accounting of a process': () => read(device().accounting.stats(100)),
  links: () => {
    // Which device has links is the fake's choice.
    const [link] = new nvml.Device(1).nvlinks();
    read(link?.version, link?.remote.type, link?.errors, link?.capabilities);
  },
  'a part of a device': () => {
    const [part] = device().migDevices();
    read(part?.gpuInstanceId, part?.computeInstanceId, part?.migParent);
  },
  events: () => {
    using set = new nvml.EventSet();
    set.register(device(), ['xidCriticalError']);
    set.wait(0);
  },
};

/** Every getter, and every method that works without arguments, of a device and of the parts that it has. */
export function nvmlReadings(): Record<string, Program> {
  const ground = fakeNvmlGround((_routine, _args, next) => next());
  const found: Record<string, Program> = {};
  const visit = (path: string, read: () => object): void => {
    const prototypes = [];
    for (
      let at = Object.getPrototypeOf(read()) as object;
      at !== Object.prototype;
      at = Object.getPrototypeOf(at) as object
    )
      prototypes.push(at);
    for (const [key, property] of prototypes.flatMap((one) => Object.entries(Object.getOwnPropertyDescriptors(one)))) {
      if (key === 'constructor' || (typeof property.value === 'function' && (property.value as () => void).length > 0))
        continue;
      const name = `${path}.${key}`;
      const run = (): unknown => {
        const member = (read() as Record<string, unknown>)[key];
        return typeof member === 'function' ? Reflect.apply(member, read(), []) : member;
      };
      try {
        const value = run();
        found[name] = () => void run();
        const part = typeof value === 'object' && value?.constructor.name !== 'Object' && !Array.isArray(value);
        if (part && value !== null && !ArrayBuffer.isView(value) && path.split('.').length < 3)
          visit(name, run as () => object);
      } catch {
        // It wants arguments.
      }
    }
  };
  visit('Device', device);
  ground.end();
  return found;
}
