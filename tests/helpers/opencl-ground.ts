/* eslint-disable @typescript-eslint/unbound-method, @typescript-eslint/no-unsafe-argument -- methods are replaced to count */
import { sweepFlights } from '../../src/core/in-flight.ts';
import { CHECKS } from '../../src/core/kernel-report.ts';
import { opencl as embedded } from '../../src/cpu/opencl-device.ts';
import { Handles, type ClObject } from '../../src/cpu/opencl/object.ts';
import { withChecks, wrapTable } from '../../src/ffi/bind.ts';
import * as cl from '../../src/opencl/index.ts';
import { withOlderForms } from '../../src/opencl/older/table.ts';
import { useOpenCL } from '../../src/opencl/select.ts';
import type { OpenCLTable } from '../../src/opencl/sys/tables.ts';
import { EXTENSIONS, extensionFunctions } from '../../src/opencl/sys/extensions.ts';
import { functions } from '../../src/opencl/sys/opencl.ts';
import type { Table } from '../../src/ffi/prototype.ts';
import type { Around, Ground } from './faults.ts';
import { oldTable } from './old-opencl.ts';
import { FAULTS_SOURCE, type OpenCLGround } from './opencl-programs-shared.ts';
import { widerOpenCL } from './wider-opencl.ts';

/** The functions of OpenCL, and those of its extensions. */
export const OPENCL_TABLE: Table = { ...functions, ...extensionFunctions };

/** How old the device is. */
export type OpenCLVersion = '1.1' | '2.0' | '3.0';

/** The embedded device, with all that OpenCL knows, for one run after another. */
export interface Grounds {
  readonly begin: (around: Around) => Ground;
  /** What there is in the run. */
  readonly ground: () => OpenCLGround;
}

/** The objects of one run by kind: what an earlier one left may go at any time. */
type Live = Map<string, number>;
let live: Live = new Map();
let binary: Uint8Array | undefined;

/** Grounds on which each call goes through `around`. */
export function openclGrounds(version: OpenCLVersion): Grounds {
  countObjects();
  let ground: OpenCLGround | undefined;
  return {
    begin: (around) => {
      live = new Map();
      useOpenCL(tableOf(version, around));
      const [device] = cl.getPlatforms()[0]?.getDevices() ?? [];
      if (!device) throw new Error('there is no embedded device');
      const context = new cl.Context([device]);
      binary ??= binaryOf(context);
      const queue = new cl.CommandQueue(context);
      ground = { context, queue, binary: binary ?? new Uint8Array() };
      return groundOf(ground, live);
    },
    ground: () => {
      if (!ground) throw new Error('there is no ground');
      return ground;
    },
  };
}

function binaryOf(context: cl.Context): Uint8Array | undefined {
  using program = new cl.Program(context, FAULTS_SOURCE);
  return program.build().binaries[0];
}

function tableOf(version: OpenCLVersion, around: Around): OpenCLTable {
  const wrap =
    (name: string, _text: string, call: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) =>
      around(name, args, () => call(...args));
  const raw = widerOpenCL(embedded(), {
    version: version === '2.0' ? '2.0' : '3.0',
    commandBuffers: version === '2.0' ? '0.9.4' : '0.9.5',
    binary: () => binary ?? new Uint8Array(),
  });
  const table = wrapTable(functions, withChecks(functions, raw), wrap);
  return Object.assign(version === '1.1' ? withOlderForms(oldTable(table, { version, missing: 'platform' })) : table, {
    [CHECKS]: raw[CHECKS],
    [EXTENSIONS]: wrapTable(extensionFunctions, withChecks(extensionFunctions, raw[EXTENSIONS]), wrap),
  });
}

function groundOf({ context, queue }: OpenCLGround, objects: Live): Ground {
  return {
    state: () => {
      queue.finish();
      sweepFlights();
      // A kernel's end is seen at the second look.
      sweepFlights();
      return JSON.stringify([...objects].filter(([, count]) => count !== 0).sort());
    },
    end: () => {
      queue.finish();
      sweepFlights();
      queue.close();
      context.close();
      // It stays for what is collected later.
      useOpenCL(embedded());
    },
  };
}

let counts = false;

/** Counts the embedded device's objects as they come and go. */
function countObjects(): void {
  if (counts) return;
  counts = true;
  const { add, remove } = Handles.prototype;
  const runs = new WeakMap<ClObject, Live>();
  const count = (object: ClObject, run: Live, by: number): void => {
    const { name } = object.constructor;
    run.set(name, (run.get(name) ?? 0) + by);
  };
  Handles.prototype.add = function (object) {
    runs.set(object, live);
    count(object, live, 1);
    return add.call(this, object);
  };
  Handles.prototype.remove = function (object) {
    const run = runs.get(object);
    if (run) count(object, run, -1);
    remove.call(this, object);
  };
}
