/* eslint-disable @typescript-eslint/unbound-method, @typescript-eslint/no-unsafe-argument -- methods are replaced to count */
import { expect, test } from '@jest/globals';
import { sweepFlights } from '../../src/core/in-flight.ts';
import { CHECKS } from '../../src/core/kernel-report.ts';
import { opencl as embedded } from '../../src/cpu/opencl-device.ts';
import { Handles, type ClObject } from '../../src/cpu/opencl/object.ts';
import { withChecks, wrapTable } from '../../src/ffi/bind.ts';
import { entriesOf, parsePrototype } from '../../src/ffi/prototype.ts';
import * as cl from '../../src/opencl/index.ts';
import { useOpenCL } from '../../src/opencl/select.ts';
import { EXTENSIONS, extensionFunctions } from '../../src/opencl/sys/extensions.ts';
import { functions } from '../../src/opencl/sys/opencl.ts';
import { coverage, injectFaults, type Around, type Ground } from '../helpers/faults.ts';
import { FAULTS_SOURCE, openclPrograms, type OpenCLGround } from '../helpers/opencl-programs.ts';
import { embeddedDescribe } from '../helpers/opencl-devices.ts';

/** CL_INVALID_GL_OBJECT: no answer, and nothing is tried again for it. */
const STATUS = -60;
/** A failure of these is an answer. */
const ANSWERS: Readonly<Record<string, string>> = {
  clGetEventInfo: 'a sweep asks again, and a driver need not tell the type of a command',
  clGetKernelArgInfo: 'the types of the parameters are then those of the values',
  clSVMAlloc: 'it has no status: memory is taken to be short, and it is tried again',
  clSVMFree: 'it has no status',
};
const TABLE = { ...functions, ...extensionFunctions };
const creates = new Set(
  [...entriesOf(TABLE)].filter(([, text]) => parsePrototype(text).result !== 'cl_int').map(([name]) => name),
);

embeddedDescribe()('OpenCL', () => {
  test('every function may fail: nothing leaks, the error names it', async () => {
    const live = countObjects();
    let ground: OpenCLGround | undefined;
    let binary: Uint8Array | undefined;
    const outcome = await injectFaults({
      table: TABLE,
      begin: (around) => {
        useOpenCL(wrapped(around));
        const [device] = cl.getPlatforms()[0]?.getDevices() ?? [];
        if (!device) throw new Error('there is no embedded device');
        const context = new cl.Context([device]);
        binary ??= new cl.Program(context, FAULTS_SOURCE).build().binaries[0];
        ground = { context, queue: new cl.CommandQueue(context), binary: binary ?? new Uint8Array() };
        return groundOf(ground, live);
      },
      fail: (routine, args) => {
        if (!creates.has(routine)) return STATUS;
        const last = args.at(-1);
        if (last instanceof Int32Array) last[0] = STATUS;
        return 0n;
      },
      programs: openclPrograms(() => {
        if (!ground) throw new Error('there is no ground');
        return ground;
      }),
      destroys: /Release|Free/,
      answers: ANSWERS,
    });
    process.stderr.write(coverage('OpenCL', TABLE, outcome.failed));
    expect(outcome.wrong).toEqual([]);
  }, 120_000);
});

function wrapped(around: Around): never {
  const raw = embedded();
  const wrap =
    (name: string, _text: string, call: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) =>
      around(name, args, () => call(...args));
  return Object.assign(wrapTable(functions, withChecks(functions, raw, []), wrap), {
    [CHECKS]: raw[CHECKS],
    [EXTENSIONS]: wrapTable(extensionFunctions, withChecks(extensionFunctions, raw[EXTENSIONS]), wrap),
  }) as never;
}

function groundOf({ context, queue }: OpenCLGround, live: Map<string, number>): Ground {
  return {
    state: () => {
      queue.finish();
      sweepFlights();
      return JSON.stringify([...live].filter(([, count]) => count !== 0).sort());
    },
    end: () => {
      queue.close();
      context.close();
      useOpenCL(undefined);
    },
  };
}

/** Counts the embedded device's objects as they come and go. */
function countObjects(): Map<string, number> {
  const live = new Map<string, number>();
  const { add, remove } = Handles.prototype;
  const count = (object: ClObject, by: number): void => {
    const { name } = object.constructor;
    live.set(name, (live.get(name) ?? 0) + by);
  };
  Handles.prototype.add = function (object) {
    count(object, 1);
    return add.call(this, object);
  };
  Handles.prototype.remove = function (object) {
    count(object, -1);
    remove.call(this, object);
  };
  return live;
}
