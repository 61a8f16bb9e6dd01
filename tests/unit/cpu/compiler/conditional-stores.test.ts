import { expect, test } from '@jest/globals';
import { parseModule, type IrFunction } from '../../../../src/cpu/compiler/ir/module.ts';
import { planKernel } from '../../../../src/cpu/compiler/regions/plan.ts';

const shared = new Map([['s', 1024]]);
const READ = ['%g = getelementptr i32, ptr @s, i64 %i', '%a = load i32, ptr %g, align 4', '%c = icmp sgt i32 %a, %n'];
const STORE = ['store i32 %n, ptr %g, align 4'];

/** The plan of a kernel that reads, branches, and stores on one of the ways; `%m` is what arrives. */
function planned(
  read: readonly string[],
  on: readonly string[],
  { branch = 'label %on, label %end', checked = false, phi = '%m = phi i32 [ %n, %0 ], [ 7, %on ]' } = {},
): string {
  const module = parseModule(`define void @k(ptr %p, i32 %n, i64 %i) {
  ${[...read, `br i1 %c, ${branch}`].join('\n  ')}

on:
  ${[...on, 'br label %end'].join('\n  ')}

end:
  ${phi}
  store i32 %m, ptr %p, align 4
  ret void
}`);
  const { blocks } = planKernel(module.functions[0] as IrFunction, module.types, { shared, checked });
  return blocks
    .map(({ name, instructions }) => [`${name}:`, ...instructions.map(({ text }) => text)].join('\n'))
    .join('\n');
}

test('a store under a condition becomes a selection of what was there', () => {
  // Parameters are v0 to v2; the address is computed from them alone and so is not in a block.
  expect(planned(READ, STORE)).toBe(`b0:
load i32, ptr %v3, align 4
icmp sgt i32 %v4, %v1
select i1 %v5, i32 %v1, i32 %v4
store i32 %v7, ptr %v3, align 4
select i1 %v5, i32 7, i32 %v1
br label %b2
b2:
phi i32 [ %v8, %b0 ]
store i32 %v6, ptr %v0, align 4
ret void`);
});

test('the other way, with what is computed on it', () => {
  const text = planned(READ, ['%x = add i32 %a, 1', 'store i32 %x, ptr %g, align 4'], {
    branch: 'label %end, label %on',
  });
  expect(text).toContain('add i32 %v4, 1\nselect i1 %v5, i32 %v4, i32 %v6\nstore i32 %v8, ptr %v3');
  expect(text).toContain('select i1 %v5, i32 %v1, i32 7');
});

test('what is the same on both ways needs no selection', () => {
  const text = planned(READ, STORE, { phi: '%m = phi i32 [ 3, %0 ], [ 3, %on ]' });
  expect(text).toContain('phi i32 [ 3, %b0 ]');
  expect(text.match(/select/g)).toHaveLength(1);
});

const instead = (place: number, ...lines: readonly string[]): string[] => [
  ...READ.slice(0, place),
  ...lines,
  ...READ.slice(place + 1),
];
test.each<[string, readonly string[], readonly string[]]>([
  ['to global memory', instead(0, '%g = getelementptr i32, ptr %p, i64 %i'), STORE],
  ['to a place that was not read', READ, ['%h = getelementptr i32, ptr @s, i64 3', 'store i32 %n, ptr %h, align 4']],
  ['to a place that was read as another type', READ, ['store float 1.0, ptr %g, align 4']],
  ['to a place that was read before a barrier', instead(2, 'call void @__rt_barrier()', READ[2] ?? ''), STORE],
  ['to a place that was written after it was read', instead(2, 'store i32 5, ptr @s, align 4', READ[2] ?? ''), STORE],
  ['to volatile memory', instead(1, '%a = load volatile i32, ptr %g, align 4'), STORE],
  ['that is volatile', READ, ['store volatile i32 %n, ptr %g, align 4']],
  ['that is atomic', READ, ['store atomic i32 %n, ptr %g monotonic, align 4']],
  ['beside a read', READ, ['%x = load i32, ptr %p, align 4', 'store i32 %x, ptr %g, align 4']],
  ['beside a division', READ, ['%x = sdiv i32 %a, %n', 'store i32 %x, ptr %g, align 4']],
])('not a store %s', (_, read, on) => {
  expect(planned(read, on)).toContain('b1:');
});

test('not in checked code, which reports each store', () => {
  expect(planned(READ, STORE, { checked: true })).toContain('b1:');
});
