import { describe, expect, test } from '@jest/globals';
import { parseTemplate } from '../../../src/array/template.ts';
import {
  parseTagged as parse,
  readTemplate as read,
  templateFunctions as functions,
  thrown,
} from '../../helpers/template-texts.ts';

/** Each row: the text, the message, the place and the length of the carets in the line. */
const problems: readonly (readonly [text: string, message: string, at: number, length: number])[] = [
  ['@0 +', '+ must be followed by a value, got nothing', 6, 1],
  ['* @0', 'An expression must begin with a value, got *', 0, 1],
  ['@0 + * @1', '+ must be followed by a value, got *', 7, 1],
  ['@0 ** ** @1', '** must be followed by a value, got **', 8, 2],
  ['(@0 + )', '+ must be followed by a value, got )', 8, 1],
  ['()', '( must be followed by a value, got )', 1, 1],
  [')', 'An expression must begin with a value, got )', 0, 1],
  ['sin(,)', '( must be followed by a value, got ,', 4, 1],
  ['pow(@0,,@1)', ', must be followed by a value, got ,', 9, 1],
  ['@0 ? : @1', '? must be followed by a value, got :', 7, 1],
  ['@0 @1', '${0} must be followed by an operator, got ${1}; write * to multiply', 5, 4],
  ['2 @0', '2 must be followed by an operator, got ${0}; write * to multiply', 2, 4],
  ['2@0', '2 must be followed by an operator, got ${0}; write * to multiply', 1, 4],
  ['@0(2)', '${0} must be followed by an operator, got (; write * to multiply', 4, 1],
  ['(@0)(@1)', ') must be followed by an operator, got (; write * to multiply', 6, 1],
  ['(@0 2)', '${0} must be followed by an operator or ), got 2; write * to multiply', 6, 1],
  ['sin(@0 2)', '${0} must be followed by an operator or ), got 2; write * to multiply', 9, 1],
  ['(@0 + 1', '( must be closed by )', 0, 1],
  ['sin(@0', '( must be closed by )', 3, 1],
  ['@0 + 1)', ') closes nothing; leave it out, or write ( where it should begin', 8, 1],
  ['(@0, @1)', 'A comma must stand between the arguments of a function', 5, 1],
  ['@0 : @1', ': must follow a ? and a value; write c ? a : b', 5, 1],
  ['@0 ? @1', '? must be followed by two values with : between them; write c ? a : b', 5, 1],
  ['(@0 ? @1)', '? must be followed by two values with : between them; write c ? a : b', 6, 1],
  ['@0 ? @1 2', '${1} must be followed by an operator or by : and another value, got 2; write * to multiply', 12, 1],
  ['@0 ! @1', '! must stand before a value; write != to compare', 5, 1],
  ['@0 ~ @1', '~ must stand before a value; write ^ for exclusive or', 5, 1],
  [
    '@0 >>> 2',
    "The element type decides how >> shifts; write >>, and put in ${a.astype('u32')} to shift in zeros",
    5,
    3,
  ],
  ['@0 < @1 < @2', 'Comparisons must not be chained; write (a < b) & (b < c)', 12, 1],
  ['@0 <= @1 === @2', 'Comparisons must not be chained; write (a <= b) & (b === c)', 13, 3],
  ['@0 == @1 == @2', 'Comparisons must not be chained; write (a == b) & (b == c)', 13, 2],
  ['@0 = @1', 'Nothing can be assigned in an expression; write == to compare', 5, 1],
  ['@0 += @1', 'Nothing can be assigned in an expression; write == to compare', 6, 1],
  ['@0 <> @1', 'Elements are compared by !=; write != instead of <>', 5, 2],
  ['@0 => @1', 'A function cannot be written in an expression; write >= to compare', 5, 2],
  ['@0 ?? 1', 'An element is never null; leave ?? out, or write where(isnan(x), y, x) for what is NaN', 5, 2],
  ['@0 /* twice */', 'An expression cannot hold a comment; write it outside of the template', 5, 2],
  ['@0 # twice', 'An expression cannot hold a comment; write it outside of the template', 5, 1],
  ["@0 + 'x'", 'An expression holds numbers and arrays only; leave the quotes out', 7, 1],
  ['1 + ${a}', 'A value is put in as ${…}, without a backslash before it', 4, 1],
  ['{@0}', 'A value is put in as ${…}, without a backslash before it', 0, 1],
  ['@0[1]', 'An array cannot be indexed in the text; put its part in, such as ${a.at(0)}', 4, 1],
  [
    '@0.T',
    'A dot has no meaning between names; write sin for np.sin or Math.sin, and put a property in, such as ${a.T}',
    4,
    1,
  ],
  [
    '1 + Math.sin(@0)',
    'A dot has no meaning between names; write sin for np.sin or Math.sin, and put a property in, such as ${a.T}',
    8,
    1,
  ],
  ['@0 @ @1', 'Matrices cannot be multiplied in the text; put the product in, such as ${a.matmul(b)}', 5, 1],
  ['@0;', 'There is one expression in a template; leave the ; out', 4, 1],
  ['@0 and @1', 'Conditions are joined by && or &; write && instead of and', 5, 3],
  ['(@0 or @1)', 'Conditions are joined by || or |; write || instead of or', 6, 2],
  ['not @0', 'A condition is negated by !; write ! instead of not', 0, 3],
  ['@0 if @1 else @2', 'A choice is written c ? a : b, or where(c, a, b)', 5, 2],
  ['@0 × @1', 'Write * to multiply', 5, 1],
  ['@0 − @1', 'Write - to subtract: this is another character', 5, 1],
  ['@0 ≤ @1', 'Write <= instead of ≤', 5, 1],
  ['@0 § @1', '§ (U+00A7) has no meaning in an expression; leave it out', 5, 1],
  ['@0 + 🦆', '🦆 (U+1F986) has no meaning in an expression; leave it out', 7, 2],
  ['sin', 'sin must be followed by 1 argument in parentheses', 0, 3],
  ['maximum + 1', 'maximum must be followed by at least 2 arguments in parentheses', 0, 7],
  ['x + 1', 'x is not known; write ${x} for a variable of that name', 0, 1],
  ['2 * PI', 'PI is not known; write pi, or ${PI} for a variable of that name', 4, 2],
  ['Infinity', 'Infinity is not known; write inf, or ${Infinity} for a variable of that name', 0, 8],
  ['__proto__', '__proto__ is not known; write ${__proto__} for a variable of that name', 0, 9],
  ['e(2)', 'e is not a function; write e * (...) to multiply', 0, 1],
  ['sin()', 'sin must have 1 argument, got 0', 0, 3],
  ['1 + sin(@0, @1)', 'sin must have 1 argument, got 2', 4, 3],
  ['where(@0, @1)', 'where must have 3 arguments, got 2', 0, 5],
  ['clip(1, 2, 3, 4)', 'clip must have 1 to 3 arguments, got 4', 0, 4],
  ['maximum(@0)', 'maximum must have at least 2 arguments, got 1', 0, 7],
  ['sum()', 'sum must have at least 1 argument, got 0', 0, 3],
  ['rand(1)', 'rand must have 0 arguments, got 1', 0, 4],
];

describe('what cannot be read', () => {
  test.each(problems)('%s is refused and pointed at', (text, message, at, length) => {
    const error = thrown(() => read(text));
    expect(error).toBeInstanceOf(SyntaxError);
    const line = text.replace(/@(\d)/g, '${$1}');
    expect(error.message).toBe(`${message}\n  ${line}\n  ${' '.repeat(at)}${'^'.repeat(length)}`);
  });

  test.each(['', ' ', '\n\t'])('an empty expression is refused: %j', (text) => {
    expect(() => read(text)).toThrow(new SyntaxError('An expression must not be empty; write one such as ${a} * 2'));
  });

  test.each([
    ['sine', 'sin or sinh'],
    ['sni', 'sin'],
    ['SIN', 'sin'],
    ['arcsin', 'asin'],
    ['absolute', 'abs'],
    ['power', 'pow'],
    ['floor_divide', 'floorDivide'],
    ['maxmum', 'maximum'],
    ['wehre', 'where'],
  ])('the unknown function %s is answered with %s', (name, near) => {
    const fix = `write ${near}, or \${${name}(...)} to put in what another function gives`;
    expect(thrown(() => read(`1 + ${name}(@0)`)).message).toBe(
      `${name} is not a function of expressions; ${fix}\n  1 + ${name}(\${0})\n      ${'^'.repeat(name.length)}`,
    );
  });

  test.each(['fft', 'constructor', 'toString', 'f'.repeat(39)])('%s is like no function', (name) => {
    const fix = `write \${${name}(...)} to put in what another function gives`;
    expect(thrown(() => read(`${name}(@0)`)).message).toContain(`${name} is not a function of expressions; ${fix}\n`);
  });

  test.each(['&', '|', '^'])('%s is not mixed with comparisons', (mark) => {
    const both = (first: string, second: string): string =>
      `${first} and ${second} must have parentheses, as JavaScript and Python group them differently; `;
    for (const comparison of ['==', '!=', '===', '<', '<=', '>', '>=']) {
      expect(thrown(() => read(`@0 ${mark} @1 ${comparison} @2`)).message).toBe(
        `${both(mark, comparison)}write (a ${mark} b) ${comparison} c or a ${mark} (b ${comparison} c)\n` +
          `  \${0} ${mark} \${1} ${comparison} \${2}\n  ${' '.repeat(12)}${'^'.repeat(comparison.length)}`,
      );
      const place = ' '.repeat(11 + comparison.length);
      expect(thrown(() => read(`@0 ${comparison} @1 ${mark} @2`)).message).toBe(
        `${both(comparison, mark)}write (a ${comparison} b) ${mark} c or a ${comparison} (b ${mark} c)\n` +
          `  \${0} ${comparison} \${1} ${mark} \${2}\n  ${place}^`,
      );
      expect(thrown(() => read(`@0 ${comparison} @1 ${mark} @2 < @3`)).message).toBe(
        `${both(comparison, mark)}write (a ${comparison} b) ${mark} (c < d)\n` +
          `  \${0} ${comparison} \${1} ${mark} \${2} < \${3}\n  ${place}^`,
      );
    }
  });

  test('the line is shown without its breaks, and what cannot be seen as a question mark', () => {
    expect(thrown(() => read('\n    @0\n\t+ \u200b@1\n')).message).toBe(
      '\u200b (U+200B) has no meaning in an expression; leave it out\n  ${0} + ?${1}\n         ^'.replace(
        '\u200b',
        '?',
      ),
    );
  });

  test('a long line is cut around the place', () => {
    const error = thrown(() => read(`${'1 + '.repeat(100)}x${' + 2'.repeat(100)}`));
    const [, line = '', carets = ''] = error.message.split('\n');
    expect(line).toMatch(/^ {2}\.\.\..{120}\.\.\.$/);
    expect(line[carets.indexOf('^')]).toBe('x');
    const atEnd = thrown(() => read('1 + '.repeat(100))).message.split('\n');
    expect(atEnd[1]).toMatch(/^ {2}\.\.\..{120}$/);
    expect(atEnd[2]?.length).toBe((atEnd[1]?.length ?? 0) + 1);
  });

  test('a long name is cut', () => {
    const [message = ''] = thrown(() => read('x'.repeat(100_000))).message.split('\n');
    expect(message.length).toBeLessThan(150);
    expect(() => read(`${'s'.repeat(100_000)}(1)`)).toThrow(SyntaxError);
  });

  test('an escape that JavaScript does not know is refused', () => {
    const error = thrown(() => parse`${1} + \u{zz}`);
    expect(error).toBeInstanceOf(SyntaxError);
    expect(error.message).toBe(
      'The backslash begins an escape that JavaScript does not know; leave it out\n  ${0} + \\u{zz}\n         ^',
    );
    expect(() => parse`\x ${1}`).toThrow('\n  \\x ${0}\n  ^');
  });

  test('what is not a template is refused', () => {
    expect(() => parseTemplate('a + b' as unknown as string[], functions)).toThrow(
      new TypeError(
        'An expression must be given as a tagged template, got the string "a + b"; write evaluate`${a} + 1`',
      ),
    );
    expect(() => parseTemplate([1] as unknown as string[], functions)).toThrow(
      new TypeError('The strings of a template must be strings, got 1'),
    );
    expect(() => parseTemplate([undefined] as unknown as string[], functions)).toThrow(TypeError);
  });
});

describe('the limits', () => {
  const nested = 'An expression must be nested at most 200 levels deep, got more; ';
  test.each([
    ['parentheses', (n: number) => `${'('.repeat(n)}@0${')'.repeat(n)}`],
    ['calls', (n: number) => `${'sin('.repeat(n)}@0${')'.repeat(n)}`],
    ['signs', (n: number) => `${'-'.repeat(n)}@0`],
    ['powers', (n: number) => `@0${' ** 2'.repeat(n)}`],
    ['choices', (n: number) => `${'@0 ? 1 : '.repeat(n)}2`],
    ['inner choices', (n: number) => `${'@0 ? '.repeat(n)}1${' : 2'.repeat(n)}`],
    [
      'operators of every level',
      (n: number) => `${'1 || 2 && 3 == (4 | 5 ^ 6 & 7 << 8 + 9 * -('.repeat(n / 3)}@0${'))'.repeat(n / 3)}`,
    ],
  ])('%s nest 200 deep, and more are refused without using up the stack', (_, text) => {
    expect(read(text(200)).kind).toMatch(/value|call/);
    for (const count of [201, 10_000, 100_000]) {
      const error = thrown(() => read(text(count)));
      expect(error).toBeInstanceOf(RangeError);
      expect(error.message.startsWith(nested)).toBe(true);
      expect(error.message.length).toBeLessThan(500);
    }
  });

  test.each([
    ['sums', (n: number) => `@0${' + 1'.repeat(n)}`],
    ['products of calls', (n: number) => `@0${' * sin(1)'.repeat(n / 2)}`],
    ['arguments', (n: number) => `maximum(1${', -@0'.repeat(n - 1)})`],
  ])('an expression of 1000 operations is read, and one of more refused: %s', (_, text) => {
    expect(read(text(1000)).kind).toBe('call');
    for (const count of [1002, 100_000]) {
      const error = thrown(() => read(text(count)));
      expect(error).toBeInstanceOf(RangeError);
      expect(error.message).toContain(
        'An expression must have at most 1000 operations, got more; compute a part of it',
      );
    }
  });
});
