import * as cl from '../../opencl/index.ts';
import { dims, FactList, megahertz, size, yesNo, type Described } from './facts.ts';

/** Where a device stands in the lists. */
export interface Placed {
  /** `opencl:0:1`: as `RAWKERNEL_CTX` counts. */
  readonly id: string;
  readonly device: cl.Device;
  readonly platform: cl.Platform;
}

/** Every OpenCL device. Platforms without any are not counted, as `RAWKERNEL_CTX` does not. */
export function placedDevices(): Placed[] {
  const platforms = cl.getPlatforms().map((platform) => ({ platform, devices: platform.getDevices() }));
  return platforms
    .filter(({ devices }) => devices.length > 0)
    .flatMap(({ platform, devices }, p) => devices.map((device, d) => ({ id: `opencl:${p}:${d}`, device, platform })));
}

/** The facts of an OpenCL device. */
export function describeOpenCL({ id, device, platform }: Placed, all: boolean): Described {
  const extensions = (): string[] => device.extensions.split(/\s+/).filter((name) => name !== '');
  const has = (name: string): boolean => device.hasExtension(name);
  const list = new FactList()
    .add('embedded', 'embedded CPU device', () => (device.isEmbedded ? true : undefined), yesNo)
    .add('platform', 'platform', () => platform.name)
    .add('platformVersion', 'platform version', () => platform.version)
    .add('vendor', 'vendor', () => device.vendor)
    .add('type', 'type', () => typeOf(device.type))
    .add('version', 'version', () => device.version)
    .add('cVersion', 'OpenCL C', () => device.openclCVersion)
    .add('driverVersion', 'driver', () => device.driverVersion)
    .add('compiler', 'compiler', () => device.compilerAvailable, yesNo)
    .add('computeUnits', 'compute units', () => device.maxComputeUnits)
    .add('clockMHz', 'clock', () => (device.isEmbedded ? undefined : device.maxClockFrequency || undefined), megahertz)
    .add('maxWorkGroup', 'work-items per group', () => device.maxWorkGroupSize)
    .add('maxWorkItems', 'group', () => device.maxWorkItemSizes, dims)
    .add('preferredMultiple', 'preferred multiple', () => device.preferredWorkGroupSizeMultiple || undefined)
    .add('subGroups', 'sub-groups per group', () => device.maxNumSubGroups || undefined)
    .add('subGroupSizes', 'sub-group sizes', () => subGroupSizes(device))
    .add('localBytes', 'local memory', () => device.localMemSize, size)
    .add('constantBytes', 'constant buffer', () => device.maxConstantBufferSize, size)
    .add('cacheBytes', 'cache', () => device.globalMemCacheSize || undefined, size)
    .add('memoryBytes', 'memory', () => device.globalMemSize, size)
    .add('maxBufferBytes', 'largest buffer', () => device.maxMemAllocSize, size)
    .add('unifiedMemory', 'shares memory with the host', () => device.hostUnifiedMemory, yesNo)
    .add('fp64', 'double', () => has('cl_khr_fp64') || device.doubleFpConfig !== 0, yesNo)
    .add('fp16', 'half', () => has('cl_khr_fp16'), yesNo)
    .add('images', 'images', () => device.imageSupport, yesNo)
    .add('maxImage2D', '  2D', () => imageSize(device), dims)
    .add(
      'svm',
      'shared virtual memory',
      () => svm(device),
      (kinds) => kinds.join(', ') || 'no',
    )
    .add('il', 'intermediate language', () => device.ilVersion || undefined)
    .add('pci', 'PCI bus', () => pci(device))
    .add('uuid', 'UUID', () => device.uuid)
    .add(
      'extensionCount',
      'extensions',
      () => extensions().length,
      (count) => (all ? String(count) : `${count} (--all)`),
    );
  if (all) list.add('extensions', 'extension names', extensions, (names) => names.join(' '));
  return { id, name: device.name, facts: list.facts };
}

function typeOf(bits: number): string {
  const { CPU, GPU, ACCELERATOR, CUSTOM } = cl.DeviceType;
  const names = Object.entries({ CPU, GPU, ACCELERATOR, CUSTOM }).filter(([, bit]) => (bits & bit) !== 0);
  return names.map(([name]) => name).join(', ');
}

const SUB_GROUP_SIZES_INTEL = 0x4108;

function subGroupSizes(device: cl.Device): readonly number[] | undefined {
  if (device.hasExtension('cl_intel_required_subgroup_size')) return device.getInfo(SUB_GROUP_SIZES_INTEL, 'sizes');
  return device.hasExtension('cl_nv_device_attribute_query') ? [device.warpSizeNv] : undefined;
}

function imageSize(device: cl.Device): readonly number[] | undefined {
  return device.imageSupport ? [device.image2dMaxWidth, device.image2dMaxHeight] : undefined;
}

function svm(device: cl.Device): string[] | undefined {
  const names = {
    COARSE_GRAIN_BUFFER: 'coarse buffers',
    FINE_GRAIN_BUFFER: 'fine buffers',
    FINE_GRAIN_SYSTEM: 'system',
    ATOMICS: 'atomics',
  } as const;
  const bits = device.svmCapabilities;
  return Object.entries(names).flatMap(([name, text]) =>
    (bits & cl.DeviceSvmCapabilities[name as keyof typeof names]) !== 0 ? [text] : [],
  );
}

function pci(device: cl.Device): string | undefined {
  const info = device.pciBusInfo;
  if (!info) return undefined;
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  return `${hex(info.domain, 4)}:${hex(info.bus, 2)}:${hex(info.device, 2)}.${info.function}`;
}
