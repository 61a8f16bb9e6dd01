import { expect, test } from '@jest/globals';
import { parseModule, type IrFunction } from '../../../../src/cpu/compiler/ir/module.ts';
import {
  commonAfter,
  commonBefore,
  readCommon,
  writeCommon,
} from '../../../../src/cpu/compiler/regions/common-slots.ts';
import { planKernel, type KernelPlan } from '../../../../src/cpu/compiler/regions/plan.ts';
import { emitRegion } from '../../../../src/cpu/compiler/regions/regions.ts';

/** A loop with a barrier: the counter is the same for all threads, the sum is not. */
function planOf(end: string, checked = false): KernelPlan {
  const module = parseModule(`define void @k(ptr %p, i32 %n) {
  %t = call i32 @__rt_id_tx()
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %j, %head ]
  %s = phi i32 [ 0, %0 ], [ %u, %head ]
  %m = add i32 %s, %t
  %u = mul i32 %m, %i
  call void @__rt_barrier()
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, ${end}
  br i1 %c, label %head, label %done
done:
  store i32 %u, ptr %p, align 4
  ret void
}`);
  return planKernel(module.functions[0] as IrFunction, module.types, { checked });
}

test('a counter that all threads share is read before the loop over them and written behind it', () => {
  const plan = planOf('%n');
  const [counter] = commonBefore(plan, 1);
  expect(commonBefore(plan, 1)).toHaveLength(1);
  expect(commonAfter(plan, 1)).toEqual([counter]);
  expect(commonBefore(plan, 0)).toEqual([]);
  expect(plan.definitions.get(counter?.value ?? '')?.text).toMatch(/^phi i32 \[ 0/);
  const name = counter?.value.slice(1) ?? '';
  expect(readCommon(plan, 1).at(-1)).toBe(`  store i32 %rt.common.${name}, ptr %rt.left.${name}`);
  expect(writeCommon(plan, 1).at(-1)).toBe(`  store i32 %rt.left.${name}.last, ptr %rt.left.${name}.at`);
  const region = emitRegion(plan, 1, { group: '', spillIds: false });
  expect(region[0]).toContain(`i32 %rt.common.${name}, ptr %rt.left.${name})`);
  // The sum goes through the array of each thread.
  expect(region.filter((line) => /load i32, ptr %rt\.t\d+/.test(line))).toHaveLength(1);
});

test('threads that leave a loop one by one share nothing', () => {
  expect(planOf('%t').common.size).toBe(0);
});

test('checked threads share the same values', () => {
  expect([...planOf('%n', true).common]).toEqual([...planOf('%n').common]);
  expect(planOf('%n').contextBytes).toBe(planOf('%n', true).contextBytes);
});
