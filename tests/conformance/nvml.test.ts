import { describe, expect, test } from '@jest/globals';
import { entriesOf, parsePrototype, type Table } from '../../src/ffi/prototype.ts';
import * as enums from '../../src/nvml/sys/enums.ts';
import { functions } from '../../src/nvml/sys/nvml.ts';
import { structs, structVersions } from '../../src/nvml/sys/structs.ts';
import { clumsyHints, complaints, constants, declarations, describeWith, layouts, type Constants } from './emit.ts';

const { status, ...objects } = enums;

const prefixes: Record<keyof typeof objects, string> = {
  Brand: 'NVML_BRAND_',
  ClockType: 'NVML_CLOCK_',
  ClockId: 'NVML_CLOCK_ID_',
  ComputeMode: 'NVML_COMPUTEMODE_',
  EccCounterType: 'NVML_',
  EnableState: 'NVML_FEATURE_',
  P2PCapability: 'NVML_P2P_CAPS_INDEX_',
  P2PStatus: 'NVML_P2P_STATUS_',
  TopologyLevel: 'NVML_TOPOLOGY_',
  NvLinkDeviceType: 'NVML_NVLINK_DEVICE_TYPE_',
  NvLinkVersion: 'NVML_NVLINK_VERSION_',
  NvLinkCapability: 'NVML_NVLINK_CAP_',
  NvLinkErrorCounter: 'NVML_NVLINK_ERROR_',
  MemoryErrorType: 'NVML_MEMORY_ERROR_TYPE_',
  MemoryLocation: 'NVML_MEMORY_LOCATION_',
  PageRetirementCause: 'NVML_PAGE_RETIREMENT_CAUSE_',
  PcieCounter: 'NVML_PCIE_UTIL_',
  PerfPolicy: 'NVML_PERF_POLICY_',
  SamplingType: 'NVML_',
  TemperatureSensor: 'NVML_TEMPERATURE_',
  TemperatureThreshold: 'NVML_TEMPERATURE_THRESHOLD_',
  ValueType: 'NVML_VALUE_TYPE_',
  Architecture: 'NVML_DEVICE_ARCH_',
  ClocksThrottleReason: 'nvmlClocksThrottleReason',
  EventType: 'nvmlEventType',
  FieldId: 'NVML_FI_DEV_',
};

const misfits: Readonly<Record<string, string>> = {
  'P2PStatus.CHIPSET_NOT_SUPPORTED': 'NVML_P2P_STATUS_CHIPSET_NOT_SUPPORED',
  'EventType.MigConfigChange': 'nvmlEventMigConfigChange',
};

/** Constants that are macros: an older header may lack one. */
const macros: ReadonlySet<string> = new Set(['Architecture', 'ClocksThrottleReason', 'EventType', 'FieldId']);

/** Enumerators and functions that came after the header of CUDA 11.8, the oldest that is compared. */
const late: ReadonlySet<string> = new Set([
  'NVML_ERROR_DEPRECATED',
  'NVML_ERROR_NOT_READY',
  'NVML_ERROR_GPU_NOT_FOUND',
  'NVML_ERROR_INVALID_STATE',
  'NVML_ERROR_RESET_TYPE_NOT_SUPPORTED',
  'nvmlDeviceGetCurrentClocksEventReasons',
  'nvmlDeviceGetSupportedClocksEventReasons',
  'NVML_NVLINK_VERSION_1_0',
  'NVML_NVLINK_VERSION_2_0',
  'NVML_NVLINK_VERSION_2_2',
  'NVML_NVLINK_VERSION_3_0',
  'NVML_NVLINK_VERSION_3_1',
  'NVML_NVLINK_VERSION_4_0',
  'NVML_NVLINK_VERSION_5_0',
  'NVML_VALUE_TYPE_SIGNED_INT',
  'NVML_VALUE_TYPE_UNSIGNED_SHORT',
]);

// Without it, the header renames the functions that have versions.
const allVersions = '#define NVML_NO_UNVERSIONED_FUNC_DEFS';

function nvmlComplaints(code: string): string {
  return complaints(['nvml.h'], code, allVersions);
}

/** A constant that is compared where this holds. */
function where(condition: string, code: string): string {
  return `#if ${condition}\n${code}\n#endif`;
}

/** Every function, mentioned: the compiler complains of those that the header does not declare. */
function uses(table: Table): string {
  return [...entriesOf(table)]
    .map(([, text]) => {
      const { symbol } = parsePrototype(text);
      const code = `static const void *const mentioned_${symbol} = &${symbol};`;
      return late.has(symbol) ? where('NVML_API_VERSION >= 13', code) : code;
    })
    .join('\n');
}

function checks(values: Constants, nameOf: (key: string) => string, areMacros = false): string {
  return Object.entries(values)
    .map(([key, row]) => {
      const name = nameOf(key);
      const code = constants({ [key]: row }, nameOf);
      if (areMacros) return where(`defined(${name})`, code);
      return late.has(name) ? where('NVML_API_VERSION >= 13', code) : code;
    })
    .join('\n');
}

describe('the NVML table', () => {
  test('parses, and names the function or a version of it', () => {
    for (const [name, text] of entriesOf(functions)) {
      const { symbol } = parsePrototype(text);
      expect([symbol, symbol.replace(/_v\d$/, '')]).toContain(name);
    }
  });

  test('has each symbol once', () => {
    const symbols = [...entriesOf(functions)].map(([, text]) => parsePrototype(text).symbol);
    expect(new Set(symbols).size).toBe(symbols.length);
  });

  test('has a status from every function', () => {
    const others = [...entriesOf(functions)].filter(([, text]) => !text.startsWith('nvmlReturn_t '));
    expect(others).toEqual([]);
  });

  test('has one phrase for every hint', () => {
    expect(clumsyHints(status)).toEqual([]);
  });
});

describeWith('nvml.h')('nvml.h', () => {
  test('declares every function as the table does', () => {
    expect(nvmlComplaints(declarations(functions))).toBe('');
  });

  test('has every function, under its symbol', () => {
    expect(nvmlComplaints(uses(functions))).toBe('');
    const table = { A: { nvmlNone: 'nvmlReturn_t nvmlNone(void)' } };
    expect(nvmlComplaints(uses(table))).toContain("'nvmlNone' undeclared");
  });

  test('declares them so too where it renames those that have versions', () => {
    expect(complaints(['nvml.h'], declarations(functions))).toBe('');
  });

  test('has the values of status', () => {
    expect(nvmlComplaints(checks(status, (key) => key))).toBe('');
  });

  test.each(Object.entries(prefixes))('has the values of %s', (name, prefix) => {
    const values: Constants = objects[name as keyof typeof objects];
    const nameOf = (key: string): string => misfits[`${name}.${key}`] ?? prefix + key;
    expect(nvmlComplaints(checks(values, nameOf, macros.has(name)))).toBe('');
  });

  test('has the layouts and the versions of structs', () => {
    expect(nvmlComplaints(layouts(structs))).toBe('');
    expect(nvmlComplaints(constants(structVersions, (key) => key))).toBe('');
  });

  test('contradicts a wrong parameter type', () => {
    const table = { A: { nvmlShutdown: 'nvmlReturn_t nvmlShutdown(unsigned int flags)' } };
    expect(nvmlComplaints(declarations(table))).toContain("conflicting types for 'nvmlShutdown'");
  });

  test('contradicts a wrong constant', () => {
    expect(nvmlComplaints(checks({ MEMORY_TEMP: 83 }, (key) => `NVML_FI_DEV_${key}`, true))).toContain(
      'NVML_FI_DEV_MEMORY_TEMP is not 83',
    );
    expect(nvmlComplaints(checks({ NVML_ERROR_MEMORY: 21 }, (key) => key))).toContain('NVML_ERROR_MEMORY is not 21');
  });

  test('contradicts a wrong offset', () => {
    const complaint = nvmlComplaints(layouts({ nvmlEventData_t: { size: 32, fields: { eventType: 4 } } }));
    expect(complaint).toContain('nvmlEventData_t.eventType is not 4');
  });
});
