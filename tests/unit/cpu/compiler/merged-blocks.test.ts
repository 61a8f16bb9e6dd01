import { expect, test } from '@jest/globals';
import { parseModule, type IrFunction } from '../../../../src/cpu/compiler/ir/module.ts';
import { mergeOf, type Merge } from '../../../../src/cpu/compiler/regions/merged-blocks.ts';
import { planKernel } from '../../../../src/cpu/compiler/regions/plan.ts';

const IDS = ['%t = call i32 @__rt_id_tx()', '%b = call i32 @__rt_id_bx()', '%w = call i32 @__rt_id_dx()'];
const GLOBAL = ['%s = mul i32 %w, %b', '%g = add i32 %s, %t'];

function mergeWith(lines: readonly string[], usesShared = false): Merge | undefined {
  const body = [...IDS, ...lines, 'store i32 %g, ptr %p, align 4', 'ret void'].join('\n  ');
  const module = parseModule(`define void @k(ptr %p, i32 %n) {\n  ${body}\n}`);
  return mergeOf(planKernel(module.functions[0] as IrFunction, module.types), usesShared);
}

function merged(lines: readonly string[], usesShared = false): number | 'asked' | undefined {
  const merge = mergeWith(lines, usesShared);
  return merge && (merge.width ?? 'asked');
}

test.each([
  ['the index of a thread in the grid', GLOBAL],
  ['an offset in the middle', ['%s = mul i32 %w, %b', '%o = add i32 %s, %n', '%g = add i32 %t, %o']],
  ['an offset of the thread', ['%s = mul i32 %w, %b', '%o = add i32 %t, 5', '%g = add i32 %o, %s']],
  [
    '64 bits, as in OpenCL C',
    [
      ...['%bb = zext i32 %b to i64', '%ww = zext i32 %w to i64', '%tt = zext nneg i32 %t to i64'],
      ...['%s = mul nuw i64 %bb, %ww', '%l = add i64 %s, %tt', '%g = trunc i64 %l to i32'],
    ],
  ],
  ['the index of y', ['%g = call i32 @__rt_id_ty()']],
])('blocks side by side run as one where threads know only %s', (_, lines) => {
  expect(merged(lines)).toBe('asked');
});

test('a width in the code has to be that of the launch', () => {
  expect(merged(['%s = shl i32 %b, 8', '%g = add i32 %s, %t'])).toBe(256);
  expect(merged(['%s = mul i32 %b, 96', '%g = add i32 %s, %t'])).toBe(96);
});

test.each([
  ['x by itself', [...GLOBAL, '%u = icmp eq i32 %t, 0']],
  ['the number of the block', [...GLOBAL, '%u = add i32 %b, 1']],
  ['where the block starts', [...GLOBAL, '%u = icmp eq i32 %s, 0']],
  ['x from the other end', ['%s = mul i32 %w, %b', '%r = sub i32 %w, %t', '%g = add i32 %s, %r']],
  ['x without the block', ['%g = add i32 %t, %n']],
  [
    'a sum with another one',
    ['%s = mul i32 %w, %b', '%x = add i32 %s, %t', '%y = add i32 %t, %t', '%g = add i32 %x, %y'],
  ],
  ['its place in the whole block', [...GLOBAL, '%u = call i32 @__rt_id_lin()']],
  ['two widths', [...GLOBAL, '%z = shl i32 %b, 4', '%q = add i32 %z, %t']],
  ['two starts', ['%s = mul i32 %w, %b', '%z = add i32 %s, %s', '%g = add i32 %z, %t']],
  ['what it prints', [...GLOBAL, 'call i32 @printf(ptr %p)']],
])('not where they know %s', (_, lines) => {
  expect(merged(lines)).toBeUndefined();
});

test('not where they share memory of the block', () => {
  expect(merged(GLOBAL, true)).toBeUndefined();
});

test.each<[string, boolean, string[]]>([
  ['neighbours', false, []],
  ['pairs', false, ['%u = shl i32 %g, 1']],
  ['places a line and more apart', true, ['%u = mul i32 %g, 16']],
  ['places as far apart as the kernel is told', true, ['%u = mul i32 %g, %n']],
  ['what they compute from their number', false, ['%v = load i32, ptr %p', '%u = mul i32 %v, %n']],
])('threads use %s: blocks of several rows stay apart: %s', (_, isFlat, lines) => {
  expect(mergeWith([...GLOBAL, ...lines])?.isFlat).toBe(isFlat);
});
