import { OpenCLError } from '../errors.ts';
import { structs } from '../sys/structs.ts';

/** Where a device is on the PCI bus. */
export interface PciBusInfo {
  readonly domain: number;
  readonly bus: number;
  readonly device: number;
  readonly function: number;
}

/** The queries that the place of a device is read from. */
interface Queries {
  hasExtension(name: string): boolean;
  getInfo(name: 'PCI_BUS_INFO_KHR' | 'TOPOLOGY_AMD'): Uint8Array<ArrayBuffer>;
  getInfo(param: number, kind: 'uint'): number;
}

// Queries of cl_nv_device_attribute_query that the header has no names for.
const NV_BUS = 0x4008;
const NV_SLOT = 0x4009;
const NV_DOMAIN = 0x400a;
const AMD_PCIE = 1;
const busFields = structs.cl_device_pci_bus_info_khr.fields;
const topologyFields = structs.cl_device_topology_amd.fields;

/** The place that an extension of Khronos, NVIDIA or AMD reports; undefined where the device has none of the three. */
export function pciBusInfo(device: Queries): PciBusInfo | undefined {
  if (device.hasExtension('cl_khr_pci_bus_info')) {
    const view = viewOf(device.getInfo('PCI_BUS_INFO_KHR'));
    const number = (field: keyof typeof busFields): number => view.getUint32(busFields[field], true);
    return {
      domain: number('pci_domain'),
      bus: number('pci_bus'),
      device: number('pci_device'),
      function: number('pci_function'),
    };
  }
  if (device.hasExtension('cl_nv_device_attribute_query')) {
    return answered(() => {
      const slot = device.getInfo(NV_SLOT, 'uint');
      const [domain, bus] = [device.getInfo(NV_DOMAIN, 'uint'), device.getInfo(NV_BUS, 'uint')];
      return { domain, bus, device: slot >>> 3, function: slot & 7 };
    });
  }
  if (device.hasExtension('cl_amd_device_attribute_query')) {
    return answered(() => {
      const view = viewOf(device.getInfo('TOPOLOGY_AMD'));
      if (view.getUint32(topologyFields['raw.type'], true) !== AMD_PCIE) return undefined;
      return {
        domain: 0,
        bus: view.getUint8(topologyFields['pcie.bus']),
        device: view.getUint8(topologyFields['pcie.device']),
        function: view.getUint8(topologyFields['pcie.function']),
      };
    });
  }
  return undefined;
}

/** `8cf9a4f2-0c5e-…` */
export function formatUuid(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView<ArrayBuffer> {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function answered<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof OpenCLError || error instanceof RangeError) return undefined;
    throw error;
  }
}
