import { calleeOf, withValues, type Instruction } from '../ir/instruction.ts';
import { FreshNames } from '../ir/fresh-names.ts';
import type { KernelPlan } from './plan.ts';
import { withoutFlags } from './slopes.ts';

type Range = readonly [least: number, most: number];

const LEAST = -32_768;
const MOST = 32_767;
/** The number of computations that pay for one result that is needed with 32 bits. */
const PAYS = 4;
const isWithin = ([least, most]: Range): boolean => least >= LEAST && most <= MOST;
const INTRINSIC = /^llvm\.(abs|smin|smax|umin|umax)\.i32$/;

/**
 * Compute with 16 bits what comes from bytes and fits, as the sums, differences and products of pixels do: vectors then
 * hold eight of them instead of four. C++ computes with `int`, and LLVM keeps that where a sign counts.
 *
 * @returns the plan with the other instructions; undefined where they are too few
 */
export function withSmallIntegers(plan: KernelPlan): KernelPlan | undefined {
  const all = plan.blocks.flatMap(({ instructions }) => instructions);
  const ranges = new Map<string, Range>();
  let steps = 0;
  for (const one of all) {
    const range = rangeOf(one, ranges);
    if (!range || one.result === undefined || !isWithin(range)) continue;
    ranges.set(one.result, range);
    if (!leafOf(one)) steps++;
  }
  const isSmall = (operand: string): boolean => ranges.has(operand);
  const small = new Map<Instruction, Instruction>();
  const needed = new Set<string>();
  for (const one of all) {
    const text = isSmall(one.result ?? '') ? smallStep(one) : smallUse(one, isSmall);
    if (text !== undefined) small.set(one, { ...one, text });
    else for (const use of one.uses) if (isSmall(use)) needed.add(use);
  }
  if (steps < PAYS * (needed.size + 1)) return undefined;
  const names = new FreshNames([...plan.definitions.keys(), ...plan.parameters.map(({ name }) => name)]);
  const wide = new Map([...needed].map((value) => [value, names.next()]));
  const blocks = plan.blocks.map((block) => ({
    ...block,
    instructions: block.instructions.flatMap((one) => {
      const name = wide.get(one.result ?? '');
      const step = small.get(one) ?? withWide(one, wide);
      return name === undefined ? [step] : [step, extensionOf(one, name)];
    }),
  }));
  const definitions = new Map(plan.definitions);
  for (const { instructions } of blocks) {
    for (const one of instructions) if (one.result !== undefined) definitions.set(one.result, one);
  }
  return { ...plan, blocks, definitions };
}

/** An instruction that needs 32 bits, with values that are extended to them. */
function withWide(one: Instruction, wide: ReadonlyMap<string, string>): Instruction {
  if (!one.uses.some((use) => wide.has(use))) return one;
  const replace = (value: string): string => wide.get(value) ?? value;
  return { ...one, text: withValues(one.text, replace), uses: one.uses.map(replace) };
}

function extensionOf({ result = '', debug }: Instruction, name: string): Instruction {
  return { result: name, op: 'sext', text: `sext i16 ${result} to i32`, uses: [result], debug };
}

interface Step {
  readonly op: string;
  readonly operands: readonly [string, string];
  /** Of a selection. */
  readonly condition?: string;
  readonly isCall?: boolean;
}

/** A computation with numbers of 32 bits. */
function stepOf(one: Instruction): Step | undefined {
  const bare = withoutFlags(one.text);
  const [, condition, yes = '', no = ''] = /^select (i1 \S+), i32 (\S+), i32 (\S+)$/.exec(bare) ?? [];
  if (condition !== undefined) return { op: 'select', operands: [yes, no], condition };
  const [, call] = INTRINSIC.exec(calleeOf(one) ?? '') ?? [];
  if (call !== undefined) {
    const [, first = '', second = ''] = /\(i32 (?:\w+ )*?(\S+), \S+ (?:\w+ )*?(\S+)\)/.exec(one.text) ?? [];
    return { op: call, operands: [first, second], isCall: true };
  }
  const [, op, left = '', right = ''] = /^(\w+) i32 (\S+), (\S+)$/.exec(bare) ?? [];
  return op === undefined ? undefined : { op, operands: [left, right] };
}

/** An extension of a byte, as far as it is one to 32 bits. */
function leafOf({ text }: Instruction): Range | undefined {
  const [, op] = /^(zext|sext) (?:nneg )?i8 \S+ to i32$/.exec(text) ?? [];
  return op === undefined ? undefined : op === 'zext' ? [0, 255] : [-128, 127];
}

function rangeOf(one: Instruction, ranges: ReadonlyMap<string, Range>): Range | undefined {
  const leaf = leafOf(one);
  const step = leaf ? undefined : stepOf(one);
  if (!step) return leaf;
  const [a, b] = step.operands.map((operand) => (/^-?\d+$/.test(operand) ? span(+operand) : ranges.get(operand)));
  if (step.op === 'abs') return a && [a[0] > 0 ? a[0] : Math.max(0, -a[1]), Math.max(-a[0], a[1])];
  return a && b && combine(step.op, a, b);
}

const span = (...values: readonly number[]): Range => [Math.min(...values), Math.max(...values)];

function combine(op: string, a: Range, b: Range): Range | undefined {
  const isCount = b[0] === b[1] && b[0] >= 0 && b[0] < 16;
  const arePositive = a[0] >= 0 && b[0] >= 0;
  switch (op) {
    case 'add':
      return [a[0] + b[0], a[1] + b[1]];
    case 'sub':
      return [a[0] - b[1], a[1] - b[0]];
    case 'mul':
      return span(a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]);
    case 'shl':
      return isCount ? [a[0] * 2 ** b[0], a[1] * 2 ** b[0]] : undefined;
    case 'ashr':
      return isCount ? [a[0] >> b[0], a[1] >> b[0]] : undefined;
    case 'lshr':
      return isCount && arePositive ? [a[0] >> b[0], a[1] >> b[0]] : undefined;
    case 'and':
      return arePositive ? [0, Math.min(a[1], b[1])] : undefined;
    case 'or':
    case 'xor':
      return arePositive ? [0, 2 ** Math.ceil(Math.log2(Math.max(a[1], b[1]) + 1)) - 1] : undefined;
    case 'select':
      return span(...a, ...b);
    case 'smin':
      return [Math.min(a[0], b[0]), Math.min(a[1], b[1])];
    case 'smax':
      return [Math.max(a[0], b[0]), Math.max(a[1], b[1])];
    case 'umin':
      return arePositive ? [Math.min(a[0], b[0]), Math.min(a[1], b[1])] : undefined;
    case 'umax':
      return arePositive ? [Math.max(a[0], b[0]), Math.max(a[1], b[1])] : undefined;
    default:
      return undefined;
  }
}

/** The same computation with 16 bits. */
function smallStep(one: Instruction): string {
  if (leafOf(one)) return one.text.replace(/i32$/, 'i16');
  const { op, operands, condition, isCall } = stepOf(one) ?? { op: one.op, operands: ['', ''] };
  const [left, right] = operands;
  if (condition !== undefined) return `select ${condition}, i16 ${left}, i16 ${right}`;
  if (op === 'abs') return `call i16 @llvm.abs.i16(i16 ${left}, i1 ${right})`;
  if (isCall === true) return `call i16 @llvm.${op}.i16(i16 ${left}, i16 ${right})`;
  return `${op} i16 ${left}, ${right}`;
}

/** A use that 16 bits are enough for; undefined for others. Numbers of either width are in the same order, signed or not. */
function smallUse({ text }: Instruction, isSmall: (operand: string) => boolean): string | undefined {
  const bare = withoutFlags(text);
  const [, cut] = /^trunc i32 (\S+) to i8$/.exec(bare) ?? [];
  if (cut !== undefined) return isSmall(cut) ? `trunc i16 ${cut} to i8` : undefined;
  const [, predicate, left = '', right = ''] = /^icmp (\w+) i32 (\S+), (\S+)$/.exec(bare) ?? [];
  const fits = (operand: string): boolean => isSmall(operand) || (/^-?\d+$/.test(operand) && isWithin(span(+operand)));
  const isComparison = predicate !== undefined && (isSmall(left) || isSmall(right));
  return isComparison && fits(left) && fits(right) ? `icmp ${predicate} i16 ${left}, ${right}` : undefined;
}
