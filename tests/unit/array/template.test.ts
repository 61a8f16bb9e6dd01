import { describe, expect, test } from '@jest/globals';
import { parseTemplate, templateMessage } from '../../../src/array/template.ts';
import {
  parseTagged as parse,
  readTemplate as read,
  showSyntax as show,
  templateFunctions as functions,
  thrown,
} from '../../helpers/template-texts.ts';

describe('an expression', () => {
  test('is a tree over the values of the template', () => {
    const [a, b] = [1, 2];
    expect(parse`${a} * 2 + sin(${b})`).toEqual({
      kind: 'call',
      name: 'add',
      at: 9,
      args: [
        {
          kind: 'call',
          name: 'multiply',
          at: 5,
          args: [
            { kind: 'value', index: 0 },
            { kind: 'number', value: 2 },
          ],
        },
        { kind: 'call', name: 'sin', at: 11, args: [{ kind: 'value', index: 1 }] },
      ],
    });
  });

  test('may be a single value, with any space around it', () => {
    expect(parse`${0}`).toEqual({ kind: 'value', index: 0 });
    expect(show(read('\n\t @0 \r\n+\u00a0@1\n'))).toBe('add(@0, @1)');
    expect(show(read('@0*@1'))).toBe('multiply(@0, @1)');
  });

  test('is not changed by reading it, and gives the same tree each time', () => {
    const strings = Object.freeze(['', ' + ', '']);
    expect(parseTemplate(strings, functions)).toEqual(parseTemplate(strings, functions));
  });

  test.each([
    ['@0 + @1', 'add(@0, @1)'],
    ['@0 - @1', 'subtract(@0, @1)'],
    ['@0 * @1', 'multiply(@0, @1)'],
    ['@0 / @1', 'divide(@0, @1)'],
    ['@0 // @1', 'floorDivide(@0, @1)'],
    ['@0 % @1', 'remainder(@0, @1)'],
    ['@0 ** @1', 'pow(@0, @1)'],
    ['+@0', 'positive(@0)'],
    ['-@0', 'negative(@0)'],
    ['~@0', 'bitwiseInvert(@0)'],
    ['!@0', 'logicalNot(@0)'],
    ['@0 == @1', 'equal(@0, @1)'],
    ['@0 === @1', 'equal(@0, @1)'],
    ['@0 != @1', 'notEqual(@0, @1)'],
    ['@0 !== @1', 'notEqual(@0, @1)'],
    ['@0 < @1', 'less(@0, @1)'],
    ['@0 <= @1', 'lessEqual(@0, @1)'],
    ['@0 > @1', 'greater(@0, @1)'],
    ['@0 >= @1', 'greaterEqual(@0, @1)'],
    ['@0 & @1', 'bitwiseAnd(@0, @1)'],
    ['@0 | @1', 'bitwiseOr(@0, @1)'],
    ['@0 ^ @1', 'bitwiseXor(@0, @1)'],
    ['@0 << @1', 'bitwiseLeftShift(@0, @1)'],
    ['@0 >> @1', 'bitwiseRightShift(@0, @1)'],
    ['@0 && @1', 'logicalAnd(@0, @1)'],
    ['@0 || @1', 'logicalOr(@0, @1)'],
    ['@0 ? @1 : @2', 'where(@0, @1, @2)'],
    ['sin(@0)', 'sin(@0)'],
    ['where(@0, @1, @2)', 'where(@0, @1, @2)'],
    ['pow ( @0 , @1 )', 'pow(@0, @1)'],
    ['clip(@0)', 'clip(@0)'],
    ['clip(@0, 0, 1,)', 'clip(@0, 0, 1)'],
    ['maximum(@0, @1, @2, @3)', 'maximum(@0, @1, @2, @3)'],
    ['rand()', 'rand()'],
    ['true + True', 'add(true, true)'],
    ['false || False', 'logicalOr(false, false)'],
  ])('%s is %s', (text, tree) => {
    expect(show(read(text))).toBe(tree);
  });
});

describe('a number', () => {
  test.each([
    ['0', 0],
    ['12', 12],
    ['1.5', 1.5],
    ['1.', 1],
    ['.5', 0.5],
    ['1e3', 1000],
    ['1e-3', 0.001],
    ['1.5E+2', 150],
    ['.5e1', 5],
    ['1_000', 1000],
    ['1_0.2_5e1_0', 10.25e10],
    ['0x1f', 31],
    ['0X1F', 31],
    ['0xff_ff', 65535],
    ['0b101', 5],
    ['0B1_1', 3],
    ['0o17', 15],
    ['5n', 5n],
    ['1_000n', 1000n],
    ['0x1fn', 31n],
    ['0b11n', 3n],
    ['0n', 0n],
    ['9007199254740992', 2 ** 53],
    ['9007199254740994', 2 ** 53 + 2],
    ['9007199254740993n', 2n ** 53n + 1n],
    ['9007199254740993.0', 2 ** 53],
    ['1e20', 1e20],
    ['pi', Math.PI],
    ['e', Math.E],
    ['inf', Infinity],
    ['nan', NaN],
    ['-2', -2],
    ['+2', 2],
    ['--2', 2],
    ['-(2)', -2],
    ['-0', -0],
    ['-inf', -Infinity],
    ['-9223372036854775808n', -(2n ** 63n)],
  ])('%s is read', (text, value) => {
    expect(read(text)).toEqual({ kind: 'number', value });
  });

  test.each([
    ['2j', 2],
    ['2J', 2],
    ['.5j', 0.5],
    ['1e3j', 1000],
    ['1_0j', 10],
    ['-2j', -2],
    ['+2j', 2],
  ])('%s is imaginary', (text, value) => {
    expect(read(text)).toEqual({ kind: 'imaginary', value });
  });

  const general = 'a number must be written such as 12, 1_000, .5, 1e-3, 0x1f, 0o17, 0b101, 5n or 2j';
  test.each([
    ['1__0', general],
    ['1_', general],
    ['1_.5', general],
    ['1._5', general],
    ['1..2', general],
    ['1.2.3', general],
    ['0x', general],
    ['0xg', general],
    ['0x1.8', general],
    ['0b12', general],
    ['0b1j', general],
    ['0o8', general],
    ['1e', general],
    ['1e5e5', general],
    ['2x', 'a number must be followed by an operator, got x; write 2 * x'],
    ['2pi', 'a number must be followed by an operator, got pi; write 2 * pi'],
    ['1.5n', 'a bigint must be a whole number without an exponent; leave out the n'],
    ['1e3n', 'a bigint must be a whole number without an exponent; leave out the n'],
    ['007', 'a decimal number must not begin with zeros; write 7, or 0o7 for an octal number'],
    ['08', 'a decimal number must not begin with zeros; write 8'],
    ['00.5', 'a decimal number must not begin with zeros; write 0.5'],
    ['1e400', 'a number must be at most 1.7976931348623157e+308; write inf for infinity'],
    ['1e400j', 'a number must be at most 1.7976931348623157e+308; write inf for infinity'],
    ['9007199254740993', 'an integer above 2^53 must be a bigint to be exact; write an n after it'],
    ['0xffffffffffffffff', 'an integer above 2^53 must be a bigint to be exact; write an n after it'],
  ])('%s is refused', (text, problem) => {
    const error = thrown(() => read(`@0 + ${text}`));
    expect(error).toBeInstanceOf(SyntaxError);
    expect(error.message).toBe(
      `${text} cannot be read: ${problem}\n  \${0} + ${text}\n         ${'^'.repeat(text.length)}`,
    );
  });
});

describe('precedence', () => {
  test.each([
    ['@0 - @1 - @2', '(@0 - @1) - @2'],
    ['@0 / @1 / @2', '(@0 / @1) / @2'],
    ['@0 // @1 * @2 % @3', '((@0 // @1) * @2) % @3'],
    ['@0 + @1 * @2', '@0 + (@1 * @2)'],
    ['@0 * @1 + @2', '(@0 * @1) + @2'],
    ['@0 ** @1 ** @2', '@0 ** (@1 ** @2)'],
    ['-@0 ** @1', '-(@0 ** @1)'],
    ['-2 ** 2', '-(2 ** 2)'],
    ['~@0 ** @1', '~(@0 ** @1)'],
    ['@0 ** -@1', '@0 ** (-@1)'],
    ['@0 ** -@1 ** @2', '@0 ** (-(@1 ** @2))'],
    ['2 ** -1 * 3', '(2 ** (-1)) * 3'],
    ['-@0 * @1', '(-@0) * @1'],
    ['@0 * -@1', '@0 * (-@1)'],
    ['@0 - -@1', '@0 - (-@1)'],
    ['@0--@1', '@0 - (-@1)'],
    ['!-~+@0', '!(-(~(+@0)))'],
    ['@0 << @1 + @2', '@0 << (@1 + @2)'],
    ['@0 << @1 >> @2', '(@0 << @1) >> @2'],
    ['@0 & @1 << @2', '@0 & (@1 << @2)'],
    ['@0 ^ @1 & @2', '@0 ^ (@1 & @2)'],
    ['@0 | @1 ^ @2', '@0 | (@1 ^ @2)'],
    ['@0 & @1 | @2 & @3', '(@0 & @1) | (@2 & @3)'],
    ['@0 + 1 < @1 << 2', '(@0 + 1) < (@1 << 2)'],
    ['!@0 == @1', '(!@0) == @1'],
    ['@0 < @1 && @2 >= @3', '(@0 < @1) && (@2 >= @3)'],
    ['@0 & @1 && @2', '(@0 & @1) && @2'],
    ['@0 || @1 && @2 || @3', '(@0 || (@1 && @2)) || @3'],
    ['@0 || @1 ? @2 : @3', '(@0 || @1) ? @2 : @3'],
    ['@0 ? @1 : @2 ? @3 : @4', '@0 ? @1 : (@2 ? @3 : @4)'],
    ['@0 ? @1 ? @2 : @3 : @4', '@0 ? (@1 ? @2 : @3) : @4'],
    ['@0 ?.5:1', '@0 ? (.5) : 1'],
    ['@0 & (@1 == @2)', '@0 & ((@1 == @2))'],
    ['(@0 & @1) == (@2 | @3)', '((@0 & @1)) == (@2 | @3)'],
    ['(@0 < @1) == @2', '((@0 < @1)) == @2'],
    ['sin(@0) ** 2', '(sin(@0)) ** 2'],
  ])('of %s is %s', (text, grouped) => {
    expect(show(read(text))).toBe(show(read(grouped)));
  });

  test('is of the power over the sign of a number', () => {
    expect(show(read('-2 ** 2'))).toBe('negative(pow(2, 2))');
    expect(show(read('(-2) ** 2'))).toBe('pow(-2, 2)');
  });
});

test('a message about an operation points at its place', () => {
  const strings = ['\n  ', ' +\n  ', ' ** 2\n'];
  const tree = parseTemplate(strings, functions);
  if (tree.kind !== 'call') throw new Error('no call');
  expect(templateMessage(strings, 'Look', tree.at)).toBe('Look\n  ${0} + ${1} ** 2\n       ^');
});
