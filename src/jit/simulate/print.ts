/** `%g` of C: six digits, without the zeros behind. */
function general(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const near = evenTie(value);
  const [digits = '', power = ''] = near.toExponential(5).split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return trimmed(near.toFixed(5 - exponent));
  return `${trimmed(digits)}e${power.startsWith('-') ? '-' : '+'}${power.slice(1).padStart(2, '0')}`;
}

/** A number in the middle between two of six digits as the even one of them: C rounds to it, JavaScript to the larger one. */
function evenTie(value: number): number {
  // No float lies so near to a middle that it takes more digits to tell it apart.
  const [, kept, power] = /^(-?\d\.\d{4}[02468])50*e(.*)$/.exec(value.toExponential(30)) ?? [];
  return kept === undefined ? value : Number(`${kept}e${power}`);
}

function trimmed(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** A value as the devices print it. */
export function shown(value: number | bigint | boolean, isFloat: boolean): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return isFloat ? general(value as number) : String(value);
}

/** `console.log` of a kernel: the last part is the end of the line. */
export function print(...parts: readonly string[]): void {
  // eslint-disable-next-line no-console -- it is what the kernel calls
  console.log(parts.join('').replace(/\n$/, ''));
}
