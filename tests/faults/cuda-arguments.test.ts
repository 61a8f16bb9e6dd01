import { expect, test } from '@jest/globals';
import { liveObjects } from '../../src/core/handle.ts';
import * as cuda from '../../src/cuda/index.ts';
import * as pythonNames from '../../src/cuda/python-names.ts';
import { HOT } from '../../src/cuda/libraries/driver/table.ts';
import { functions } from '../../src/cuda/sys/driver.ts';
import { ARGUMENT_PROGRAMS } from '../helpers/cuda-programs-arguments.ts';
import { CUDA_PROGRAMS } from '../helpers/cuda-programs.ts';
import { fakeGround } from '../helpers/cuda-ground.ts';
import { misuses } from '../helpers/cuda-misuse.ts';
import { forget } from '../helpers/forget.ts';
import { walkMissing, watch } from '../helpers/missing-arguments.ts';
import { looks } from '../helpers/null-arguments.ts';
import { sourceFiles } from '../helpers/sources.ts';

// A GPU's driver reads through NULL without a look, and some of its functions are called without the checks of the table:
// with any argument of a public call, only values that the driver takes may reach it.

const PROGRAMS = { ...CUDA_PROGRAMS, ...ARGUMENT_PROGRAMS };

/** What CUDA's documentation says may be NULL: the default stream, no context, no list, no answer wanted. */
const NULLABLE = new Set([
  'CUstream',
  'cuCtxSetCurrent.ctx',
  'cuGraphAddChildGraphNode.dependencies',
  'cuGraphAddEmptyNode.dependencies',
  'cuGraphAddEventRecordNode.dependencies',
  'cuGraphAddEventWaitNode.dependencies',
  'cuGraphAddKernelNode.dependencies',
  'cuGraphAddMemAllocNode.dependencies',
  'cuGraphAddMemFreeNode.dependencies',
  'cuGraphAddMemcpyNode.dependencies',
  'cuGraphAddMemsetNode.dependencies',
  'cuGraphAddNode.dependencies',
  // How many there are.
  'cuGraphGetEdges.from',
  'cuGraphGetEdges.to',
  'cuGraphGetNodes.nodes',
  // Arguments come packed.
  'cuLaunchKernel.kernelParams',
  'cuLaunchKernelEx.kernelParams',
  'cuLibraryLoadData.libraryOptions',
  'cuLibraryLoadData.libraryOptionValues',
  'cuLinkAddData.options',
  'cuLinkAddData.optionValues',
  'cuMemAddressReserve.addr',
  'cuOccupancyMaxPotentialBlockSize.blockSizeToDynamicSMemSize',
  'cuOccupancyMaxPotentialBlockSizeWithFlags.blockSizeToDynamicSMemSize',
  'cuStreamGetCaptureInfo.graph_out',
  'cuStreamGetCaptureInfo.dependencies_out',
  'cuStreamGetCaptureInfo.numDependencies_out',
  'cuTexObjectCreate.pTexDesc',
  'cuTexObjectCreate.pResViewDesc',
]);

/** No calls of a user's. */
const INTERNAL = /^Library\.expect$|\.(?:elementTag|use|writeTo)$/;
/** Text for a compiler, which is looked at before anything is called. */
const COMPILERS = [
  'DynamicModule.addSource',
  'DynamicModule.addStdlib',
  'Program.compile',
  'Program.compileLater',
  'Program.fromNvvm',
  'Program.getLoweredName',
  'SourceModule.compile',
  'SourceModule.fromFile',
  'SourceModule.getFunction',
  'dynamicSourceModule',
];
/** Callers of these make the checks of the table themselves. */
const QUICK = [...sourceFiles()]
  .filter(([path]) => path.startsWith('src/cuda/'))
  .flatMap(([, { text }]) => [...text.matchAll(/\b(?:q|callQ)uickly\('(\w+)'/g)].map(([, name = '']) => name));
const look = looks(functions, NULLABLE, [...HOT, ...QUICK]);

test('no bad input reaches the driver', async () => {
  const wrong = await watch({ begin: fakeGround, look }, async () => {
    const before = liveObjects();
    walk();
    await forget(before);
  });
  expect(wrong).toEqual([]);
});

test('nothing that is missing reaches the driver', async () => {
  const { wrong, count, missed } = await walkMissing({
    entry: cuda,
    others: pythonNames,
    begin: fakeGround,
    look,
    programs: PROGRAMS,
  });
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(1000);
  expect(missed.filter((name) => !INTERNAL.test(name))).toEqual(COMPILERS);
});

function walk(): void {
  for (const { run } of misuses()) {
    try {
      run();
    } catch {
      // What is thrown is looked at elsewhere.
    }
  }
}
