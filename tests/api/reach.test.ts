import { expect, test } from '@jest/globals';
import ts from 'typescript';
import * as cudaArrays from '../../src/cuda/array/index.ts';
import * as cuda from '../../src/cuda/index.ts';
import * as nccl from '../../src/nccl/index.ts';
import * as nvml from '../../src/nvml/index.ts';
import * as openclArrays from '../../src/opencl/array/index.ts';
import * as opencl from '../../src/opencl/index.ts';
import { useOpenCL } from '../../src/opencl/select.ts';
import { fakeOpenCL } from '../helpers/fake-opencl.ts';
import { sourceFiles } from '../helpers/sources.ts';

type Class = abstract new (...args: never[]) => object;

const halves = { cuda, nccl, nvml, opencl };
/** Every entry with classes, by the folder of its files; other classes are those that it builds upon. */
const entries: readonly (readonly [string, object])[] = [
  ...Object.entries(halves),
  ['cuda', cudaArrays],
  ['opencl', openclArrays],
];
/** Names that differ from those of the declarations. */
const RENAMED: Readonly<Record<string, string>> = { Function: 'KernelFunction' };

/**
 * Members that are not declared for users and can be reached all the same. They read, or give what a public member gives: no
 * record that owns something is among it, nor what reaches a driver unchecked.
 */
const HARMLESS: readonly string[] = [
  // Facts.
  'Context.checks',
  'Context.identity',
  'Device.limits',
  'Device.raw',
  'DeviceIdentity.raw',
  'Image.extent',
  'NDArray.byteLength',
  'NDArray.isFlat',
  'PublicObject.uncloneable',
  'PreMulSum.isOf',
  'Slice.rangeOf',
  'SyncPoint.isOf',
  // Checks that throw.
  'Library.expect',
  'ProgramBase.checkFresh',
  'ProgramBase.checkKernel',
  // The borrowed value that `handle` or `ptr` gives, under the name of the method that asks.
  'KernelBase.use',
  'ProgramBase.made',
  'ProgramBase.native',
  'ProgramBase.raw',
  'Resource.use',
  // Refuses: what these own is a record.
  'ClientPool.use',
  'ProgramBase.use',
  'SVMAllocation.use',
  'SVM.pointer',
  'SVMAllocation.pointer',
  // Bytes of a value, into a view of the caller's.
  'Scalar.writeTo',
  'Struct.writeTo',
  'TensorMap.writeTo',
  'Value.writeTo',
  'Vector.writeTo',
  // Events of OpenCL: what is asked and flushed for them.
  'Event.blockers',
  'Event.ended',
  'Event.flush',
  'Event.pending',
  'Event.settle',
  'Event.unfinished',
  'MemoryObject.uses',
  'SVM.uses',
  'SVMAllocation.uses',
  'UserEvent.blockers',
  'UserEvent.whenSet',
  // A number that launches compare: with a wrong one they refuse memory, or take it as it is.
  'Buffer.elementTag',
  'DeviceAllocation.elementTag',
  'DeviceSlice.elementTag',
  'NDArray.elementTag',
  'RegisteredHostMemory.elementTag',
  'SVM.elementTag',
  'SVMAllocation.elementTag',
  'TensorView.elementTag',
  'Transfer.elementTag',
  // Forms of a launch, with the same checks.
  'Kernel.launchSet',
  'Kernel.record',
  'Kernel.rehearse',
];

/** The members of each class that have `@internal`, by the half or `core`, then by the class. */
function internals(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const [path, file] of sourceFiles()) {
    const [, half = ''] = path.split('/');
    for (const statement of file.statements) {
      if (!ts.isClassDeclaration(statement) || !statement.name) continue;
      const hidden = statement.members.filter(
        (member) => member.name && !ts.isPrivateIdentifier(member.name) && /@internal\b/.test(leading(member, file)),
      );
      found.set(`${half}.${statement.name.text}`, new Set(hidden.map((member) => member.name?.getText() ?? '')));
    }
  }
  return found;
}

function leading(node: ts.Node, file: ts.SourceFile): string {
  return file.text.slice(node.getFullStart(), node.getStart());
}

function classesOf(module: object): readonly [string, Class][] {
  return Object.entries(module as Record<string, unknown>).filter((entry): entry is [string, Class] =>
    /^class\b/.test(typeof entry[1] === 'function' ? Function.prototype.toString.call(entry[1]) : ''),
  );
}

test('nothing but what is declared can be reached on the objects of users', () => {
  const known = internals();
  const reached = new Set<string>();
  for (const [half, module] of entries) {
    for (const [, made] of classesOf(module)) {
      for (let at: Class = made; at.prototype && at !== Function.prototype; at = Object.getPrototypeOf(at) as Class) {
        const name = RENAMED[at.name] ?? at.name;
        const hidden = [half, 'array', 'core'].flatMap((folder) => [...(known.get(`${folder}.${name}`) ?? [])]);
        for (const member of hidden) reached.add(`${name}.${member}`);
      }
    }
  }
  expect([...reached].filter((member) => !HARMLESS.includes(member))).toEqual([]);
});

test('no record that owns something can be reached', () => {
  const owners = ['owned', 'owner', 'events', 'list', 'facts', 'configured', 'adopt', 'setPlace', 'lend'];
  const reached = entries.flatMap(([, module]) =>
    classesOf(module).flatMap(([name, made]) =>
      owners.filter((member) => member in (made.prototype as object) || member in made).map((own) => `${name}.${own}`),
    ),
  );
  expect(reached).toEqual([]);
});

test('use() of what owns a record refuses', () => {
  useOpenCL(fakeOpenCL().table);
  const use = (object: object): unknown => (object as { use(method: string): unknown }).use('x');
  try {
    using context = opencl.createSomeContext();
    using queue = new opencl.CommandQueue(context);
    using program = new opencl.Program(context, 'kernel void f() {}').build('', { cache: false });
    using pool = new opencl.MemoryPool(new opencl.ImmediateAllocator(queue));
    for (const owner of [program, pool]) expect(() => use(owner)).toThrow(/has no raw value/);
  } finally {
    useOpenCL(undefined);
  }
});

const NATIVE_WORDS =
  /Cannot (?:read|destructure|set|convert|mix)|is not (?:a function|iterable|a constructor|defined|an object)|private member|Invalid (?:typed )?array|Unexpected|Symbol\(/;

test('constructors that are not public say what to write; the others refuse in our words', () => {
  const given = [[], [5], ['x'], [null], [{}], [5n, 3], [[], []], [{}, {}, {}], ['a', 'b', 'c'], [() => 1, 'x']];
  const wrong: string[] = [];
  const undeclared: string[] = [];
  for (const [half, module] of entries) {
    for (const [name, made] of classesOf(module)) {
      if (made.prototype instanceof Error) continue;
      for (const args of given) {
        try {
          const object = Reflect.construct(made, args) as { close?: () => void };
          object.close?.();
        } catch (error) {
          const { message } = error as Error;
          if (NATIVE_WORDS.test(message)) wrong.push(`new ${half}.${name}(${args.length} arguments): ${message}`);
          if (args.length === 0 && message.includes('is not made with new')) undeclared.push(`${half}.${name}`);
        }
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(undeclared.length).toBeGreaterThan(30);
});

test('new Program(source), which a user of NVRTC writes first, names what to write', () => {
  const make = (): unknown => Reflect.construct(cuda.Program, ['__global__ void f() {}']);
  expect(make).toThrow(
    'Program is not made with new; write Program.compile(source), or new SourceModule(source) to have it loaded as well',
  );
});
