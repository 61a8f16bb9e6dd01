import { describe, expect, test } from '@jest/globals';
import { guardOf } from '../../../../src/cpu/compiler/regions/guards.ts';
import { parseModule, type IrFunction } from '../../../../src/cpu/compiler/ir/module.ts';
import { planKernel, type KernelPlan } from '../../../../src/cpu/compiler/regions/plan.ts';

function planOf(body: string): KernelPlan {
  const module = parseModule(`define void @k(ptr %p, i32 %n, i32 %m) {\n${body}\n}`);
  return planKernel(module.functions[0] as IrFunction, module.types);
}

/** A kernel that writes where a condition holds; the lines make `%c`. */
const guarded = (lines: readonly string[]): string =>
  [
    '%t = call i32 @__rt_id_tx()',
    '%y = call i32 @__rt_id_ty()',
    ...lines,
    'br i1 %c, label %yes, label %no',
    'yes:',
    'store i32 %t, ptr %p, align 4',
    'br label %no',
    'no:',
    'ret void',
  ]
    .map((line) => (line.endsWith(':') ? line : `  ${line}`))
    .join('\n');

type Values = Map<string, bigint>;

/** Runs lines of integer instructions. */
function run(lines: readonly string[], values: Values): void {
  const read = (text: string): bigint =>
    text === 'true'
      ? 1n
      : text === 'false'
        ? 0n
        : /^-?\d/.test(text)
          ? BigInt(text)
          : (values.get(text) ?? missing(text));
  for (const line of lines) {
    const [, result = '', op = '', rest = ''] = /^(%\S+) = (\w+) (.*)$/.exec(line) ?? [];
    const [, kind = '', bits = '', left = '', right = ''] =
      /^(?:samesign )?(?:(\w\w\w?) )?i(\d+) (\S+?)(?:,? (?:to )?(\S+))?$/.exec(
        rest.replace(/\b(?:nuw|nsw|nneg) /g, ''),
      ) ?? [];
    const a = op === 'select' ? 0n : BigInt.asUintN(Number(bits), read(left));
    const signed = (value: bigint): bigint => BigInt.asIntN(Number(bits), value);
    const b = (): bigint => BigInt.asUintN(Number(bits), read(right));
    const made = ((): bigint => {
      switch (op) {
        case 'add':
          return a + b();
        case 'sub':
          return a - b();
        case 'mul':
          return a * b();
        case 'shl':
          return a << b();
        case 'and':
          return a & b();
        case 'or':
          return a | b();
        case 'xor':
          return a ^ b();
        case 'freeze':
        case 'zext':
        case 'trunc':
          return op === 'trunc' ? BigInt.asUintN(Number(right.slice(1)), a) : a;
        case 'sext':
          return BigInt.asUintN(Number(right.slice(1)), signed(a));
        case 'icmp': {
          const [x, y] = kind.startsWith('s') ? [signed(a), signed(b())] : [a, b()];
          const holds = { l: x < y, g: x > y }[kind[1] ?? ''] === true || (kind.endsWith('e') && x === y);
          return holds ? 1n : 0n;
        }
        case 'select': {
          const [, condition = '', yes = '', no = ''] = /^i1 (\S+), i\d+ (\S+), i\d+ (\S+)$/.exec(rest) ?? [];
          return read(read(condition) === 1n ? yes : no);
        }
        default:
          throw new Error(`unknown ${line}`);
      }
    })();
    values.set(
      result,
      op.endsWith('ext') || op === 'trunc' || op === 'icmp' || op === 'select'
        ? made
        : BigInt.asUintN(Number(bits), made),
    );
  }
}

function missing(name: string): never {
  throw new Error(`no value ${name}`);
}

describe('the conditions that guards understand', () => {
  const assumedOf = (lines: readonly string[]): unknown[] | undefined => {
    const guard = guardOf(planOf(guarded(lines)), 0);
    return guard && guard.assumed.size > 0 ? [...guard.assumed.values()] : undefined;
  };

  test.each([
    ['an index below a bound', ['%i = add i32 %t, %n', '%c = icmp slt i32 %i, %m'], [true]],
    ['two of them', ['%a = icmp ult i32 %t, %n', '%b = icmp sgt i32 %y, %m', '%c = and i1 %a, %b'], [true]],
    ['a wider index', ['%i = add nsw i32 %t, %n', '%w = sext i32 %i to i64', '%c = icmp slt i64 %w, 7'], [true]],
    ['a steady step', ['%i = mul i32 %t, -12', '%c = icmp sge i32 %i, %m'], [true]],
    [
      'an alternative',
      ['%a = icmp ult i32 %t, %n', '%b = icmp eq i32 %n, 5', '%c = select i1 %a, i1 true, i1 %b'],
      [true],
    ],
  ])('%s', (_, lines, expected) => {
    expect(assumedOf(lines)).toEqual(expected);
  });

  test.each([
    ['equality', ['%c = icmp eq i32 %t, %m']],
    ['a step that is not known', ['%i = mul i32 %t, %n', '%c = icmp slt i32 %i, %m']],
    ['a step that comes around several times', ['%i = mul i32 %t, 8388608', '%c = icmp slt i32 %i, %m']],
    ['two moving sides', ['%i = add i32 %t, %n', '%c = icmp slt i32 %i, %t']],
    ['bits', ['%i = xor i32 %t, %n', '%c = icmp slt i32 %i, %m']],
    ['a narrow type', ['%i = trunc i32 %t to i8', '%c = icmp slt i8 %i, 5']],
    ['what is the same for the row alone', ['%c = icmp slt i32 %y, %m']],
    ['what is read', ['%l = load i32, ptr %p, align 4', '%c = icmp slt i32 %t, %l']],
    [
      'slopes that make up for each other behind a cast',
      [
        '%a = add i32 %t, %n',
        '%w = sext i32 %a to i64',
        '%x = zext i32 %t to i64',
        '%d = sub i64 %w, %x',
        '%c = icmp slt i64 %d, 5',
      ],
    ],
  ])('not %s', (_, lines) => {
    expect(assumedOf(lines)).toBeUndefined();
  });

  test('the way around is that of doing nothing, whichever it is', () => {
    const plan = planOf(`
  %t = call i32 @__rt_id_tx()
  %c = icmp sge i32 %t, %n
  br i1 %c, label %no, label %yes
yes:
  store i32 %t, ptr %p, align 4
  br label %no
no:
  ret void`);
    expect([...(guardOf(plan, 0)?.assumed.values() ?? [])]).toEqual([false]);
  });

  test('not a condition between two ways that both do something', () => {
    const plan = planOf(`
  %t = call i32 @__rt_id_tx()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %yes, label %no
yes:
  store i32 %t, ptr %p, align 4
  br label %end
no:
  store i32 %n, ptr %p, align 4
  br label %end
end:
  ret void`);
    expect(guardOf(plan, 0)).toBeUndefined();
  });
});

test('a value that comes around at two places, which make up for each other at the ends of the row', () => {
  const plan = planOf(
    guarded([
      '%a3 = mul i32 %t, 3',
      '%a = add i32 %a3, %n',
      '%b = add i32 %t, %m',
      '%aw = sext i32 %a to i64',
      '%bw = zext i32 %b to i64',
      '%d = sub i64 %aw, %bw',
      '%c = icmp sgt i64 %d, -2147484000',
    ]),
  );
  const guard = guardOf(plan, 0);
  const [, n = '', m = ''] = plan.parameters.map(({ name }) => name);
  const says = (last: number): bigint | undefined => {
    const values: Values = new Map([
      [n, 0x7fff_ff00n],
      [m, -128n],
      ['%rt.tx', 0n],
      ['%rt.tx.b', BigInt(last)],
    ]);
    run(guard?.lines ?? [], values);
    return values.get(guard?.result ?? '');
  };
  expect(says(50)).toBe(1n);
  expect(says(200)).toBe(0n);
});

test('where a guard says yes, the condition holds for each thread of the row', () => {
  let seed = 5;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const edges = [0, 1, 5, 900, 0x7fff_ff00, 0x7fff_ffff, -1, -300, -0x8000_0000];
  let said = 0;
  let refused = 0;
  for (let round = 0; round < 600; round++) {
    let names = 0;
    const condition = (): readonly [name: string, lines: readonly string[]] => {
      const lines: string[] = [];
      let [value, bits] = ['%t', 32];
      const make = (text: string): void => {
        value = `%r${round}n${names++}`;
        lines.push(`${value} = ${text}`);
      };
      for (let steps = 1 + random(4); steps > 0; steps--) {
        const kind = random(7);
        if (kind === 0) make(`add i${bits} ${value}, ${pick(edges)}`);
        else if (kind === 1) make(`sub i${bits} ${pick(edges)}, ${value}`);
        else if (kind === 2) make(`mul i${bits} ${value}, ${pick([3, -5, 70_000])}`);
        else if (kind === 3) make(`shl i${bits} ${value}, 2`);
        else if (bits === 32 && kind < 6) {
          make(`${pick(['sext', 'zext'])} i32 ${value} to i64`);
          bits = 64;
        } else if (bits === 64) {
          make(`trunc i64 ${value} to i32`);
          bits = 32;
        } else make(`add i32 ${value}, %n`);
      }
      const bound =
        bits === 32 ? pick(['%m', '%n', ...edges.map(String)]) : pick([...edges, 0xffff_ffff, 0x8000_0000].map(String));
      make(`icmp ${pick(['slt', 'sle', 'sgt', 'sge', 'ult', 'ule', 'ugt', 'uge'])} i${bits} ${value}, ${bound}`);
      return [value, lines];
    };
    const [[a, first], [b, second]] = [condition(), condition()];
    const both = pick([
      `and i1 ${a}, ${b}`,
      `or i1 ${a}, ${b}`,
      `select i1 ${a}, i1 ${b}, i1 false`,
      `xor i1 ${a}, true`,
    ]);
    const plan = planOf(guarded([...first, ...second, `%c = ${both}`]));
    const guard = guardOf(plan, 0);
    if (!guard || guard.assumed.size === 0) {
      refused++;
      continue;
    }
    const [, n = '', m = ''] = plan.parameters.map(({ name }) => name);
    const [name = '', wanted] = [...guard.assumed][0] ?? [];
    const lines = plan.repeated
      .filter(({ op }) => op !== 'call')
      .map(({ result, text }) => `${result ?? ''} = ${text}`);
    const index = plan.repeated.find(({ text }) => text.includes('__rt_id_tx'))?.result ?? '';
    for (let tries = 0; tries < 4; tries++) {
      const fixed = [
        [n, BigInt(pick(edges))],
        [m, BigInt(pick(edges))],
      ] as const;
      const from = pick([0, 0, 17]);
      const to = from + pick([1, 2, 64, 300]);
      const ends: Values = new Map([...fixed, ['%rt.tx', BigInt(from)], ['%rt.tx.b', BigInt(to - 1)], ['%rt.ty', 0n]]);
      run(guard.lines, ends);
      if (ends.get(guard.result) !== 1n) continue;
      said++;
      for (let x = from; x < to; x++) {
        const values: Values = new Map([...fixed, [index, BigInt(x)]]);
        run(
          lines.filter((line) => !line.includes('__rt_id')),
          values,
        );
        if (values.get(name) !== (wanted === true ? 1n : 0n))
          throw new Error(`thread ${x} of ${from} to ${to}, n ${fixed[0][1]}, m ${fixed[1][1]}:\n${lines.join('\n')}`);
      }
    }
  }
  // The test is worth something only when guards are found, and say yes.
  expect(said).toBeGreaterThan(50);
  expect(refused).toBeLessThan(500);
});

/** Whether a sum, difference or product breaks a promise of its flags. */
function isBroken(line: string, values: Values): boolean {
  const [, op = '', flags = '', left = '', right = ''] =
    /= (add|sub|mul|shl) ((?:nuw |nsw )+)i32 (\S+), (\S+)$/.exec(line) ?? [];
  if (op === '') return false;
  const read = (text: string): bigint => (/^-?\d/.test(text) ? BigInt(text) : (values.get(text) ?? missing(text)));
  const exact = (as: (bits: number, value: bigint) => bigint): bigint => {
    const [a, b] = [as(32, read(left)), as(32, read(right))];
    return op === 'add' ? a + b : op === 'sub' ? a - b : op === 'mul' ? a * b : a << b;
  };
  const wraps = (as: (bits: number, value: bigint) => bigint): boolean => as(32, exact(as)) !== exact(as);
  return (
    (flags.includes('nsw') && wraps((bits, value) => BigInt.asIntN(bits, value))) ||
    (flags.includes('nuw') && wraps((bits, value) => BigInt.asUintN(bits, value)))
  );
}

test('indices of a row that passes are those of its threads, wherever the kernel says what they are', () => {
  let seed = 9;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const edges = [0, 1, 40, 900, 0x7fff_ff00, 0x7fff_ffff, -1, -300, -0x8000_0000];
  let compared = 0;
  let selected = 0;
  for (let round = 0; round < 400; round++) {
    const lines: string[] = [];
    let value = '%t';
    const make = (text: string): string => {
      const name = `%i${round}n${lines.length}`;
      lines.push(`${name} = ${text}`);
      return name;
    };
    for (let steps = 1 + random(4); steps > 0; steps--) {
      const flags = pick(['', 'nsw ', 'nuw ', 'nuw nsw ']);
      const other = pick(['%n', '%m', '%y', '7', '-3']);
      const kind = random(6);
      if (kind < 2) value = make(`add ${flags}i32 ${value}, ${other}`);
      else if (kind === 2) value = make(`sub ${flags}i32 ${pick([`${value}, ${other}`, `${other}, ${value}`])}`);
      else if (kind === 3) value = make(`mul ${flags}i32 ${value}, ${pick([3, 5])}`);
      else if (kind === 4) value = make(`shl ${flags}i32 ${value}, 2`);
      else {
        const inner = make(`icmp ${pick(['sgt', 'ult'])} i32 ${value}, ${pick(['0', '20', '%n'])}`);
        value = make(`select i1 ${inner}, i32 ${pick([`${value}, i32 %m`, `4, i32 ${value}`])}`);
      }
    }
    make(`${pick(['sext', 'zext', 'zext nneg'])} i32 ${value} to i64`);
    const plan = planOf(guarded([...lines, '%c = icmp slt i32 %t, 100000']));
    const guard = guardOf(plan, 0);
    const [[made, index] = ['', []]] = guard?.indices.made ?? [];
    if (!guard || made === '') continue;
    const [, n = '', m = ''] = plan.parameters.map(({ name }) => name);
    const own = plan.repeated.map(({ result, text }) => `${result ?? ''} = ${text}`);
    const idOf = (id: string): string =>
      /^%v\d+/.exec(own.find((line) => line.includes(`__rt_id_${id}`)) ?? '')?.[0] ?? '';
    for (let tries = 0; tries < 4; tries++) {
      const fixed = [
        [n, BigInt.asUintN(32, BigInt(pick(edges)))],
        [m, BigInt.asUintN(32, BigInt(pick(edges)))],
        ['%rt.ty', 3n],
      ] as const;
      const from = pick([0, 0, 17]);
      const to = from + pick([1, 2, 64, 300]);
      const ends: Values = new Map([...fixed, ['%rt.tx', BigInt(from)], ['%rt.tx.b', BigInt(to - 1)]]);
      run(guard.lines, ends);
      if (ends.get(guard.result) !== 1n) continue;
      for (let x = from; x < to; x++) {
        const values: Values = new Map([...fixed, [idOf('tx'), BigInt(x)], [idOf('ty'), 3n]]);
        let isDefined = true;
        for (const line of own.filter((one) => !one.includes('__rt_id'))) {
          isDefined &&= !isBroken(line, values);
          run([line], values);
        }
        const isNegative = BigInt.asIntN(64, values.get(made) ?? 0n) >= 0x8000_0000n && lines.at(-1)?.includes('nneg');
        if (!isDefined || isNegative === true) continue;
        const row: Values = new Map([...values, ['%rt.tx.a', BigInt(from)], ['%rt.d', BigInt(x - from)]]);
        run([...guard.indices.entry, ...index], row);
        if (row.get(made) !== values.get(made)) expect([lines, x, row.get(made)]).toEqual([lines, x, values.get(made)]);
        compared++;
        if (guard.indices.assumed.size > 0) selected++;
      }
    }
  }
  expect(compared).toBeGreaterThan(1000);
  expect(selected).toBeGreaterThan(100);
});
