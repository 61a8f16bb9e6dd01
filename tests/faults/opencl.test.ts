import { expect, test } from '@jest/globals';
import { entriesOf, parsePrototype } from '../../src/ffi/prototype.ts';
import { OLDER_FORMS } from '../../src/opencl/older/forms.ts';
import { coverage, injectFaults, unexplained, type Reasons } from '../helpers/faults.ts';
import { isFull } from '../helpers/full.ts';
import { embeddedDescribe } from '../helpers/opencl-devices.ts';
import { OPENCL_TABLE as TABLE, openclGrounds, type OpenCLVersion } from '../helpers/opencl-ground.ts';
import { nodeOpenCLPrograms } from '../helpers/node-opencl-programs.ts';
import { olderExtensionPrograms } from '../helpers/opencl-programs-extensions.ts';
import type { OpenCLGround, Programs } from '../helpers/opencl-programs-shared.ts';
import { commandPrograms, openclPrograms } from '../helpers/opencl-programs.ts';

/** CL_INVALID_GL_OBJECT: no answer, and nothing is tried again for it. */
const STATUS = -60;
/** A failure of these is an answer. */
const ANSWERS: Readonly<Record<string, string>> = {
  clGetEventInfo: 'a sweep asks again, and a driver need not tell the type of a command',
  clGetKernelArgInfo: 'the types of the parameters are then those of the values',
  clSVMAlloc: 'it has no status: memory is taken to be short, and it is tried again',
  clSVMFree: 'it has no status',
  'hostArrays: clGetMemObjectInfo': 'a sweep asks again whether the memory is still used',
  'svmArguments: clGetMemObjectInfo': 'as hostArrays',
};
/** As ANSWERS, under an old platform. */
const OLD_ANSWERS: Readonly<Record<string, string>> = {
  clGetPlatformIDs: 'platforms that cannot be listed are taken for new ones',
  clGetProgramInfo: 'without the source the types of the parameters are those of the values',
};
/** What programs do not reach. */
const REASONS: Reasons = {
  'only rawkernel/opencl/sys has them': [
    'clSetContextDestructorCallback',
    'clCreateImageWithProperties',
    'clSetMemObjectDestructorCallback',
    'clSetProgramReleaseCallback',
    'clSetEventCallback',
    'clEnqueueNativeKernel',
    'clEnqueueWaitForEvents',
    'clRetainCommandBufferKHR',
    'clRetainSemaphoreKHR',
  ],
  'no status: NULL means that the driver has not the function': [
    'clGetExtensionFunctionAddressForPlatform',
    'clGetExtensionFunctionAddress',
  ],
};
/** What cannot be called again after a failure. */
const ONCE: Readonly<Record<string, string>> = {
  'Program.build': 'a program that was not built is closed',
  'Program.compile': 'as Program.build',
};
/** As ANSWERS, of node-opencl. */
const PORT_ANSWERS: Readonly<Record<string, string>> = {
  clGetPlatformIDs: 'what cannot be listed is one platform',
};
/** It looks for the platform of a device first, and says no more than node-opencl. */
const PORT = /^Invalid device$/;
/** An older form has no status of its own: its error names what was asked for. */
const OLDER = new RegExp(Object.keys(OLDER_FORMS).join('|'));
const creates = new Set(
  [...entriesOf(TABLE)].filter(([, text]) => parsePrototype(text).result !== 'cl_int').map(([name]) => name),
);
const failed = new Set<string>();

const rows: readonly (readonly [
  title: string,
  version: OpenCLVersion,
  programs: (ground: () => OpenCLGround) => Programs,
])[] = [
  ['of 3.0', '3.0', openclPrograms],
  ['of 2.0', '2.0', olderExtensionPrograms],
  ['of 1.1', '1.1', commandPrograms],
  ['of 3.0 under node-opencl', '3.0', nodeOpenCLPrograms],
];

embeddedDescribe()('OpenCL', () => {
  test.each(rows)(
    '%s: every function may fail: nothing leaks, the error names it',
    async (_, version, programs) => {
      const isPort = programs === nodeOpenCLPrograms;
      const { begin, ground } = openclGrounds(version);
      const outcome = await injectFaults({
        table: TABLE,
        begin,
        isQuick: !isFull,
        fail: (routine, args) => {
          if (!creates.has(routine)) return STATUS;
          const last = args.at(-1);
          if (last instanceof Int32Array) last[0] = STATUS;
          return 0n;
        },
        programs: programs(ground),
        destroys: /Release|Free/,
        answers: { ...ANSWERS, ...(version === '1.1' ? OLD_ANSWERS : {}), ...(isPort ? PORT_ANSWERS : {}) },
        once: ONCE,
        ...(isPort ? { tells: PORT } : version === '1.1' ? { tells: OLDER } : {}),
      });
      for (const name of outcome.failed) failed.add(name);
      expect(outcome.wrong).toEqual([]);
    },
    300_000,
  );

  test('every function that can be reached was made to fail', () => {
    process.stderr.write(coverage('OpenCL', TABLE, failed, REASONS));
    expect(unexplained(TABLE, failed, REASONS)).toEqual([]);
  });
});
