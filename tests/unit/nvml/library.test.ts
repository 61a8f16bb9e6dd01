import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LibraryNotFoundError } from '../../../src/core/errors.ts';
import { Device } from '../../../src/nvml/index.ts';
import { useNvml } from '../../../src/nvml/select.ts';
import { runBuilt, runChild, type Ended } from '../../helpers/child.ts';
import { needs } from '../../helpers/require.ts';

const TIMEOUT = 60_000;

/** An old driver's NVML with one device: it has no v2 of the memory, and says when it is started and ended. */
const OLD = `
#include <stdio.h>
#include <string.h>
static int count;
int nvmlInitWithFlags(unsigned flags) { fprintf(stderr, "start %d\\n", ++count); return INIT; }
int nvmlShutdown(void) { fprintf(stderr, "end %d\\n", count--); return 0; }
int nvmlDeviceGetCount_v2(unsigned *out) { *out = 1; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **out) { *out = &count; return index == 0 ? 0 : 2; }
int nvmlDeviceGetName(void *device, char *name, unsigned length) {
  if (device != &count || length < 10) return 2;
  strcpy(name, "Old GPU");
  return 0;
}
int nvmlDeviceGetMemoryInfo(void *device, unsigned long long *memory) {
  memory[0] = 1ull << 33;
  memory[1] = 1ull << 32;
  memory[2] = 1ull << 32;
  return device == &count ? 0 : 2;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *n, unsigned char *out) {
  unsigned room = *n;
  *n = 2;
  if (room < 2) return 7;
  unsigned list[12] = {41, 0, 4096, 0, ~0u, ~0u, 42, 0, ~0u, ~0u, 1, 2};
  memcpy(out, list, sizeof list);
  return 0;
}`;

/** A newer driver's, which writes through every kind of parameter that there is. */
const NEW = `
#include <string.h>
typedef unsigned long long wide;
static int gpu, set;
int nvmlInitWithFlags(unsigned flags) { return flags; }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned *out) { *out = 1; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **out) { *out = &gpu; return index; }
int nvmlDeviceGetHandleByUUID(const char *uuid, void **out) { *out = &gpu; return strcmp(uuid, "GPU-1") ? 6 : 0; }
int nvmlDeviceGetMemoryInfo_v2(void *device, wide *memory) {
  if (device != &gpu || (unsigned)memory[0] != (40u | 2u << 24)) return 25;
  for (int i = 1; i < 5; i++) memory[i] = 1ull << (30 + i);
  return 0;
}
int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor) {
  *major = 9;
  *minor = -1;
  return device != &gpu;
}
int nvmlDeviceGetEccMode(void *device, unsigned *current, unsigned *pending) {
  *current = 0;
  *pending = 1;
  return device != &gpu;
}
int nvmlDeviceGetTotalEnergyConsumption(void *device, wide *energy) { *energy = 1ull << 40; return device != &gpu; }
int nvmlDeviceGetPciInfo_v3(void *device, char *pci) { strcpy(pci + 36, "00000000:1B:00.0"); return device != &gpu; }
int nvmlDeviceGetFieldValues(void *device, int count, wide *values) {
  for (int i = 0; i < count; i++, values += 5) {
    unsigned *id = (unsigned *)values, *type = (unsigned *)(values + 3);
    values[1] = 1000 + i;
    type[0] = 3;
    type[1] = id[0] == 999 ? 3 : 0;
    values[4] = (wide)id[0] << 32 | id[1];
  }
  return device != &gpu;
}
int nvmlDeviceGetProcessUtilization(void *device, wide *samples, unsigned *count, wide since) {
  unsigned room = *count;
  *count = 1;
  if (samples == 0 || room == 0) return 7;
  samples[0] = 41;
  samples[1] = since + 1;
  samples[2] = 50 | 60ull << 32;
  samples[3] = 70 | 80ull << 32;
  return device != &gpu;
}
int nvmlDeviceGetSupportedMemoryClocks(void *device, unsigned *count, unsigned *clocks) {
  if (*count < 2) { *count = 2; return 7; }
  *count = 2;
  clocks[0] = 2619;
  clocks[1] = 1593;
  return device != &gpu;
}
int nvmlEventSetCreate(void **out) { *out = &set; return 0; }
int nvmlDeviceRegisterEvents(void *device, wide types, void *events) {
  return device != &gpu || types != 8 || events != &set;
}
int nvmlEventSetWait_v2(void *events, wide *data, unsigned timeout) {
  if (timeout == 0) return 10;
  data[0] = (wide)&gpu;
  data[1] = 8;
  data[2] = 79;
  data[3] = ~0ull;
  return events != &set;
}
int nvmlEventSetFree(void *events) { return events != &set; }`;

test('a library that is named and not there is an error that says so', () => {
  const before = process.env['RAWKERNEL_LIBNVML'];
  process.env['RAWKERNEL_LIBNVML'] = '/nowhere/libnvidia-ml.so.1';
  useNvml(undefined);
  try {
    expect(() => Device.count()).toThrow(LibraryNotFoundError);
    expect(() => Device.count()).toThrow(
      /^Could not load NVML, the management library\nTried:\n {2}- \/nowhere\/[^]*or set RAWKERNEL_LIBNVML to the file$/,
    );
  } finally {
    if (before === undefined) delete process.env['RAWKERNEL_LIBNVML'];
    else process.env['RAWKERNEL_LIBNVML'] = before;
  }
});

needs.command('gcc').describe('a library of a driver', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-nvml-'));

  function compile(file: string, input: string, init = 0): void {
    const args = ['-shared', '-fPIC', `-DINIT=${init}`, '-x', 'c', '-', '-o', join(folder, file)];
    const { status, stderr } = spawnSync('gcc', args, { input, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }

  beforeAll(() => {
    compile('old.so', OLD);
    compile('new.so', NEW);
    compile('unloaded.so', OLD, 9);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function run(text: string, file = 'old.so'): Promise<Ended> {
    return runChild(`const nvml = await import('@/src/nvml/index.ts');${text}`, {
      RAWKERNEL_LIBNVML: join(folder, file),
      RAWKERNEL_DEVICE: 'cpu',
    });
  }

  test(
    'writes through every kind of parameter',
    async () => {
      const { code, stdout, stderr } = await run(
        `
        const device = new nvml.Device('GPU-1');
        const { totalBytes, reservedBytes, freeBytes, usedBytes } = device.memory;
        console.log([totalBytes, reservedBytes, freeBytes, usedBytes].map(Math.log2).join());
        console.log(device.computeCapability.join(), device.ecc.enabled, device.ecc.pendingEnabled);
        console.log(device.energyJoules, device.busId, device.clocks.supportedMemoryMHz.join());
        console.log(JSON.stringify(device.fieldValues([5, { fieldId: 999, scopeId: 1 }, { fieldId: 7, scopeId: 6 }])));
        console.log(JSON.stringify(device.processUtilization(100)));
        using set = new nvml.EventSet().register(device, ['xidCriticalError']);
        const { xid, gpuInstanceId, device: { energyJoules } } = set.wait(1);
        console.log(xid, gpuInstanceId, energyJoules, await set.next({ timeoutMs: 0 }));`,
        'new.so',
      );
      const type = 'unsignedLongLong';
      expect(stdout.split('\n')).toEqual([
        '31,32,33,34',
        '9,-1 false true',
        `${2 ** 40 / 1000} 00000000:1B:00.0 2619,1593`,
        JSON.stringify([
          { fieldId: 5, scopeId: 0, value: 5 * 2 ** 32, type, timestampUs: 1000 },
          { fieldId: 999, scopeId: 1, code: 'NVML_ERROR_NOT_SUPPORTED' },
          { fieldId: 7, scopeId: 6, value: 7 * 2 ** 32 + 6, type, timestampUs: 1002 },
        ]),
        JSON.stringify([
          { pid: 41, timestampUs: 101, smPercent: 50, memoryPercent: 60, encoderPercent: 70, decoderPercent: 80 },
        ]),
        `79 undefined ${2 ** 40 / 1000} undefined`,
        '',
      ]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    },
    TIMEOUT,
  );

  test(
    'answers what it has, and says of the rest that it is not found',
    async () => {
      const { code, stdout, stderr } = await run(`
        const device = new nvml.Device(0);
        console.log(device.name, JSON.stringify(device.memory));
        console.log(JSON.stringify(device.processes('compute')));
        try { device.temperatureCelsius } catch (error) { console.log(error.name, error.code, error.status); }
        console.log(nvml.optional(() => device.temperatureCelsius));`);
      expect(stdout.split('\n')).toEqual([
        'Old GPU {"totalBytes":8589934592,"freeBytes":4294967296,"usedBytes":4294967296}',
        JSON.stringify([
          { pid: 41, kinds: ['compute'], usedBytes: 4096 },
          { pid: 42, kinds: ['compute'], gpuInstanceId: 1, computeInstanceId: 2 },
        ]),
        'NvmlError NVML_ERROR_FUNCTION_NOT_FOUND 13',
        'undefined',
        '',
      ]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: 'start 1\nend 1\n' });
    },
    TIMEOUT,
  );

  needs.build().test(
    'is started by each thread, and ended by it',
    async () => {
      const text = `
        import { once } from 'node:events';
        import { Worker } from 'node:worker_threads';
        import { Device } from 'rawkernel/nvml';
        console.log(Device.count());
        const text =
          'import("rawkernel/nvml").then(({ Device }) =>' +
          'require("node:worker_threads").parentPort.postMessage(new Device(0).name))';
        const worker = new Worker(text, { eval: true, execArgv: [] });
        worker.on('message', console.log);
        await once(worker, 'exit');
        console.log(new Device(0).name);`;
      const { code, stdout, stderr } = await runBuilt(text, { RAWKERNEL_LIBNVML: join(folder, 'old.so') });
      expect({ code, stdout, stderr }).toEqual({
        code: 0,
        stdout: '1\nOld GPU\nOld GPU\n',
        stderr: 'start 1\nstart 2\nend 2\nend 1\n',
      });
    },
    TIMEOUT,
  );

  test(
    'that does not start is asked again by each call, and never ended',
    async () => {
      const { code, stdout, stderr } = await run(
        `for (let i = 0; i < 2; i++) try { nvml.driverVersion() } catch (error) { console.log(error.message) }`,
        'unloaded.so',
      );
      const message = `nvmlInitWithFlags failed: NVML_ERROR_DRIVER_NOT_LOADED
Load NVIDIA's kernel driver: see nvidia-smi and the system log
  docs    https://docs.nvidia.com/deploy/nvml-api/group__nvmlInitializationAndCleanup.html
`;
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: message + message, stderr: 'start 1\nstart 2\n' });
    },
    TIMEOUT,
  );

  test(
    'shows its calls with RAWKERNEL_TRACE=calls',
    async () => {
      const { stderr } = await runChild(
        `const { Device } = await import('@/src/nvml/index.ts'); Device.count(); new Device(0).powerWatts;`,
        { RAWKERNEL_LIBNVML: join(folder, 'old.so'), RAWKERNEL_TRACE: 'calls', RAWKERNEL_DEVICE: 'cpu' },
      );
      expect(stderr).toMatch(/^nvmlInitWithFlags\(flags=0\)/);
      expect(stderr).toMatch(/\nnvmlDeviceGetCount\(deviceCount=\*\) = 0 \{deviceCount=1\}/);
      expect(stderr).toMatch(/\nnvmlDeviceGetPowerUsage\(device=0x[\da-f]+, power=\*\) = 13 /);
    },
    TIMEOUT,
  );
});

describe('the same table for everyone', () => {
  test('a fake goes back to the installed library', () => {
    useNvml(undefined);
    const missing = needs.nvml().missing;
    if (missing === undefined) expect(Device.count()).toBeGreaterThan(0);
    else expect(() => new Device(0)).toThrow(/NVML/);
  });
});
