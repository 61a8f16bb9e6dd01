import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ClosedError } from '../../../../src/core/errors.ts';
import { liveObjects } from '../../../../src/core/handle.ts';
import { managedFree } from '../../../../src/cuda/managed/managed-memory.ts';
import { managedView } from '../../../../src/cuda/managed/managed-view.ts';
import { memAlloc } from '../../../../src/cuda/memory/memory.ts';
import { moduleFromBuffer, type Module } from '../../../../src/cuda/module/module.ts';
import { libraryFromBuffer } from '../../../../src/cuda/module/library.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { PointerAttribute } from '../../../../src/cuda/sys/enums.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';
import { untilCollected } from '../../../helpers/until.ts';

const PTX = '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n';
const fake = withFakeDriver();
const bytes = new Uint8Array(24);
let module: Module;

/** Have the driver say of all memory whether it is managed. */
function answer(managed: boolean): void {
  const { cuPointerGetAttribute } = fake.table;
  useTables({
    driver: {
      ...fake.table,
      cuPointerGetAttribute: (out, attribute, pointer) => {
        if (attribute !== PointerAttribute.IS_MANAGED) return cuPointerGetAttribute(out, attribute, pointer);
        (out as Int32Array)[0] = managed ? 1 : 0;
        return 0;
      },
    },
  });
}

beforeEach(() => {
  fake.globals.set('numbers', bytes.fill(0));
  module = moduleFromBuffer(PTX);
  answer(true);
});
afterEach(() => {
  module.close();
  useTables({ driver: fake.table });
  expect([fake.live.module, fake.live.library]).toEqual([0, 0]);
  expect(liveObjects()).toEqual({ Context: 1 });
});

test('the array is the memory of the variable', () => {
  using numbers = managedView(module.getGlobal('numbers'), 'i32');
  numbers[5] = 7;
  expect([numbers.length, bytes[20], numbers.ptr]).toEqual([6, 7, module.getGlobal('numbers').ptr]);
  using part = managedView(module.getGlobal('numbers').slice(16), Int32Array);
  expect([...part]).toEqual([0, 7]);
});

test('a variable of a library, too', () => {
  using library = libraryFromBuffer(PTX);
  using numbers = managedView(library.getManaged('numbers'), 'f64');
  expect(numbers.length).toBe(3);
});

test('the module stays loaded as long as the array', () => {
  const numbers = managedView(module.getGlobal('numbers'), 'u8');
  module.close();
  numbers[0] = 1;
  expect(fake.live.module).toBe(1);
  managedFree(numbers);
  expect([fake.live.module, numbers.length]).toEqual([0, 0]);
  expect(() => {
    managedFree(numbers);
  }).toThrow(ClosedError);
  expect(() => numbers.ptr).toThrow(ClosedError);
});

test('a view that was not closed gives no warning', async () => {
  const drop = (): void => {
    managedView(module.getGlobal('numbers'), 'u8');
  };
  drop();
  module.close();
  await untilCollected('the module is unloaded', () => fake.live.module === 0);
});

test('what cannot be seen so is refused', () => {
  const numbers = module.getGlobal('numbers');
  using memory = memAlloc(16);
  expect(() => managedView(memory as never, 'u8')).toThrow(/takes a variable of Module.getGlobal/);
  expect(() => managedView(memory.ptr as never, 'u8')).toThrow(TypeError);
  expect(() => managedView(numbers, 'u9' as never)).toThrow(/managedView: the type must be a typed array class/);
  expect(() => managedView(numbers.slice(1), 'f32')).toThrow('23 bytes are not a whole number of elements of 4 bytes');
  expect(() => managedView(numbers.slice(0, 0), 'u8')).toThrow(RangeError);
  answer(false);
  expect(() => managedView(numbers, 'i32')).toThrow(/not a __managed__ variable/);
  module.close();
  expect(() => managedView(numbers, 'i32')).toThrow(ClosedError);
});
