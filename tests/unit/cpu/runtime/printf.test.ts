import { describe, expect, test } from '@jest/globals';
import { formatPrint } from '../../../../src/cpu/runtime/printf.ts';

type Argument = number | bigint | string | { readonly double: number };

const FORMAT = 64;
const LIST = 4096;
const STRINGS = 8192;

/** Lay out a call as clang does: an int in 4 bytes, everything else in 8, aligned. */
function print(format: string, ...args: readonly Argument[]): string {
  const bytes = new Uint8Array(16_384);
  const view = new DataView(bytes.buffer);
  const put = (at: number, text: string): number => {
    const encoded = new TextEncoder().encode(`${text}\0`);
    bytes.set(encoded, at);
    return at + encoded.length;
  };
  put(FORMAT, format);
  let at = LIST;
  let strings = STRINGS;
  const align = (): void => void (at = Math.ceil(at / 8) * 8);
  for (const argument of args) {
    if (typeof argument === 'number') {
      view.setInt32(at, argument, true);
      at += 4;
      continue;
    }
    align();
    if (typeof argument === 'bigint') view.setBigUint64(at, BigInt.asUintN(64, argument), true);
    else if (typeof argument === 'object') view.setFloat64(at, argument.double, true);
    else {
      view.setBigUint64(at, BigInt(strings), true);
      strings = put(strings, argument);
    }
    at += 8;
  }
  return Buffer.from(formatPrint({ bytes, view }, FORMAT, LIST).text, 'latin1').toString();
}

const d = (double: number): Argument => ({ double });

describe('printf of kernels', () => {
  test.each<[string, string, Argument[]]>([
    ['plain text', 'plain text', []],
    ['100%', '100%%', []],
    ['-5|5|+5| 5', '%d|%i|%+d|% d', [-5, 5, 5, 5]],
    ['   42|42   |00042', '%5d|%-5d|%05d', [42, 42, 42]],
    ['  042|042  ', '%5.3d|%-5.3d', [42, 42]],
    ['|', '%.0d|', [0]],
    ['4294967295', '%u', [-1]],
    ['ff|FF|0xff|0XFF|377|0377|0|0', '%x|%X|%#x|%#X|%o|%#o|%#x|%#o', [255, 255, 255, 255, 255, 255, 0, 0]],
    ['0x00ff', '%#06x', [255]],
    ['-1|65535|255|-128', '%hd|%hu|%hhu|%hhd', [-1, -1, -1, 128]],
    ['-9223372036854775808|18446744073709551615', '%lld|%llu', [-(2n ** 63n), -1n]],
    ['7|8|9|a', '%ld|%zu|%jd|%tx', [7n, 8n, 9n, 10n]],
    ['1 2 3', '%d %lld %d', [1, 2n, 3]],
    ['1,-2|ff,1,2|  7,  8', '%v2hhd|%v3hhx|%3v2ld', [1, -2, -1, 1, 2, 7n, 8n]],
    ['1.50,2.50|0003,0004 5', '%.2v2hlf|%04v2hld %d', [d(1.5), d(2.5), 3, 4, 5]],
    ['A|  B|C  ', '%c|%3c|%-3c', [65, 66, 67]],
    ['hé|  hi|hi  |he|(null)', '%s|%4s|%-4s|%.2s|%s', ['hé', 'hi', 'hi', 'hello', 0n]],
    ['0x1000|(nil)|    0x10', '%p|%p|%8p', [4096n, 0n, 16n]],
    ['   42|42   |  3.14|7', '%*d|%*d|%*.*f|%.*d', [5, 42, -5, 42, 6, 2, d(3.14159), -1, 7]],
    ['1.500000|-1.5|2|2.|  1.50', '%f|%.1f|%.0f|%#.0f|%6.2f', [d(1.5), d(-1.5), d(2.5), d(2.5), d(1.5)]],
    ['1.234568e+06|1e-05|1.E+00', '%e|%.0e|%#.0E', [d(1234567.8), d(1e-5), d(1)]],
    ['0.0001|1e-05|123457|1.23457e+06|0.1', '%g|%g|%g|%g|%g', [d(1e-4), d(1e-5), d(123457), d(1234567), d(0.1)]],
    ['1.00000|100000|1e+06|0', '%#g|%g|%g|%g', [d(1), d(1e5), d(1e6), d(0)]],
    [
      'inf|-inf|nan|INF|  inf|+inf',
      '%f|%f|%f|%F|%05f|%+g',
      [d(1 / 0), d(-1 / 0), d(NaN), d(1 / 0), d(1 / 0), d(1 / 0)],
    ],
    ['-0.0|-0|0x0p+0', '%.1f|%g|%a', [d(-0), d(-0), d(0)]],
    ['0x1.8p+1|0X1.FP+0|0x1.0p+0', '%a|%.1A|%.1a', [d(3), d(1.9375), d(1.01)]],
    ['0x0.0000000000001p-1022', '%a', [d(5e-324)]],
    ['a 5 %', 'a %d %', [5]],
    ['%y %n %q %5% %-%', '%y %n %q %5% %-%', []],
    ['[%n] 7', '[%n] %d', [7]],
  ])('%s', (expected, format, args) => {
    expect(print(format, ...args)).toBe(expected);
  });

  test('counts the directives', () => {
    const bytes = new Uint8Array(256);
    bytes.set(new TextEncoder().encode('%d %% %d'), 16);
    expect(formatPrint({ bytes, view: new DataView(bytes.buffer) }, 16, 64)).toEqual({ text: '0 % 0', directives: 2 });
  });

  const values = [0.1, 1 / 3, 123456.789, 1e22, 1e23, 2 ** 70, 0.5, 1.5, 2.5, 1e-7, 9.9995, 0.00012345];
  // As the C library has it.
  test.each<[string, string]>([
    [
      '%f',
      '0.100000|0.333333|123456.789000|10000000000000000000000.000000|99999999999999991611392.000000|1180591620717411303424.000000|0.500000|1.500000|2.500000|0.000000|9.999500|0.000123',
    ],
    ['%.0f', '0|0|123457|10000000000000000000000|99999999999999991611392|1180591620717411303424|0|2|2|0|10|0'],
    [
      '%.3f',
      '0.100|0.333|123456.789|10000000000000000000000.000|99999999999999991611392.000|1180591620717411303424.000|0.500|1.500|2.500|0.000|9.999|0.000',
    ],
    [
      '%.20f',
      '0.10000000000000000555|0.33333333333333331483|123456.78900000000430736691|10000000000000000000000.00000000000000000000|99999999999999991611392.00000000000000000000|1180591620717411303424.00000000000000000000|0.50000000000000000000|1.50000000000000000000|2.50000000000000000000|0.00000010000000000000|9.99949999999999938893|0.00012344999999999999',
    ],
    [
      '%e',
      '1.000000e-01|3.333333e-01|1.234568e+05|1.000000e+22|1.000000e+23|1.180592e+21|5.000000e-01|1.500000e+00|2.500000e+00|1.000000e-07|9.999500e+00|1.234500e-04',
    ],
    ['%.0e', '1e-01|3e-01|1e+05|1e+22|1e+23|1e+21|5e-01|2e+00|2e+00|1e-07|1e+01|1e-04'],
    [
      '%.12e',
      '1.000000000000e-01|3.333333333333e-01|1.234567890000e+05|1.000000000000e+22|1.000000000000e+23|1.180591620717e+21|5.000000000000e-01|1.500000000000e+00|2.500000000000e+00|1.000000000000e-07|9.999500000000e+00|1.234500000000e-04',
    ],
    ['%g', '0.1|0.333333|123457|1e+22|1e+23|1.18059e+21|0.5|1.5|2.5|1e-07|9.9995|0.00012345'],
    ['%.3g', '0.1|0.333|1.23e+05|1e+22|1e+23|1.18e+21|0.5|1.5|2.5|1e-07|10|0.000123'],
    [
      '%.17g',
      '0.10000000000000001|0.33333333333333331|123456.789|1e+22|9.9999999999999992e+22|1.1805916207174113e+21|0.5|1.5|2.5|9.9999999999999995e-08|9.9994999999999994|0.00012344999999999999',
    ],
    ['%#.3g', '0.100|0.333|1.23e+05|1.00e+22|1.00e+23|1.18e+21|0.500|1.50|2.50|1.00e-07|10.0|0.000123'],
    [
      '%10.2f',
      '      0.10|      0.33| 123456.79|10000000000000000000000.00|99999999999999991611392.00|1180591620717411303424.00|      0.50|      1.50|      2.50|      0.00|     10.00|      0.00',
    ],
  ])('doubles as %s', (format, expected) => {
    expect(values.map((value) => print(format, d(value))).join('|')).toBe(expected);
  });
});
