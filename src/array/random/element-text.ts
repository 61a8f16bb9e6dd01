import { literal } from '../kernel/literal.ts';
import { exactMacros, expText, logText, type ExactType } from './exact-text.ts';

/*
 * What distributions share that draw element by element, each from blocks of its own: how many words an element takes depends on
 * them, and changes nothing for the others.
 */

/** The parameters of functions that draw, and their arguments. */
const STREAM = `\
#define STREAM_PARAMETERS u32 c0, u32 unit, u32 c1, u32 c3, u32 k0, u32 k1
#define STREAM c0, unit, c1, c3, k0, k1
`;

/** `log_of`, `exp_of`, and `open_unit`: a number above 0 and up to 1 of two words, of which f32 has the second one alone. */
export function elementText(t: ExactType): string {
  const whole = t === 'f32' ? '(f32)high' : `ADD(MUL((f64)high, ${literal(2 ** 21, t)}), (f64)(low >> 11))`;
  return `${STREAM}${exactMacros(t)}${logText('log_of', t)}${expText('exp_of', t)}
INLINE FN ${t} open_unit(u32 low, u32 high) {
  return MUL(ADD(${whole}, ${literal(0.5, t)}), ${literal(t === 'f32' ? 2 ** -32 : 2 ** -53, t)});
}
`;
}

/** `log_factorial` of integers in f64: a product, from 10 on Stirling's series. */
export const logFactorialText: string = `
INLINE FN f64 log_factorial(f64 k) {
  if (k < 10) {
    f64 product = 1;
    for (i32 i = 2; i <= (i32)k; i++) product *= (f64)i;
    return log_of(product);
  }
  const f64 inverse = 1.0 / k, square = MUL(inverse, inverse);
  f64 tail = ADD(${literal(1 / 1260, 'f64')}, MUL(square, ${literal(-1 / 1680, 'f64')}));
  tail = ADD(${literal(1 / 12, 'f64')}, MUL(square, ADD(${literal(-1 / 360, 'f64')}, MUL(square, tail))));
  const f64 head = ADD(MUL(ADD(k, 0.5), log_of(k)), ADD(${literal(Math.log(2 * Math.PI) / 2, 'f64')}, -k));
  return ADD(head, MUL(inverse, tail));
}
`;
