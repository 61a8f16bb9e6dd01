// In C++ a division by zero, the conversion of a number too large for an integer type and a shift by as many bits as the
// type has, or more, have undefined results, and WebAssembly traps at the division. A GPU continues with some value. This
// device continues with the value that was observed on GPUs, and for shifts with the one that the PTX ISA promises.

const DIVISION = /^ +(%[-\w.$"]+) = ([us](?:div|rem)) (?:exact )?(i\d+) (\S+), (\S+?)(, !dbg !\d+.*)?$/;
const SHIFT = /^ +(%[-\w.$"]+) = (shl|lshr|ashr) (?:(?:nuw|nsw|exact) )*i(32|64) (\S+), (\S+?)(, !dbg !\d+.*)?$/;
const CAST =
  /^ +(%[-\w.$"]+) = (?:tail )?call \w*? ?i(8|16|32|64) @llvm\.(fpto[us]i)\.sat\.i\d+\.(f32|f64)\((?:noundef )?(float|double) (\S+)\)(.*)$/;
const NARROW = /@llvm\.(fpto[us]i)\.sat\.i32\.(f32|f64)\(/g;

/** An instruction of clang's output, with a defined result for all operands. */
export function withDefinedResult(line: string): readonly string[] {
  const division = line.includes('div ') || line.includes('rem ') ? DIVISION.exec(line) : null;
  if (division) return divide(division, line);
  const shifted = /(?:shl|shr) /.test(line) ? SHIFT.exec(line) : null;
  if (shifted) return shift(shifted, line);
  const cast = line.includes('@llvm.fpto') ? CAST.exec(line) : null;
  return cast ? convert(cast) : [line];
}

/** Declarations of intrinsics that {@link withDefinedResult} may have put into a text that had none. */
export function declarationsFor(text: string): string[] {
  const wanted = new Set([...text.matchAll(NARROW)].map(([, name = '', from = '']) => `${name}.${from}`));
  return [...wanted].flatMap((one) => {
    const [name = '', from = ''] = one.split('.');
    const symbol = `@llvm.${name}.sat.i32.${from}(`;
    const isDeclared = text.split(symbol).some((before) => /(?:^|\n)declare [^\n]*$/.test(before));
    return isDeclared ? [] : [`declare i32 ${symbol}${from === 'f32' ? 'float' : 'double'})`];
  });
}

function divide(
  [, result = '', op = '', type = '', a = '', b = '', debug = '']: RegExpExecArray,
  line: string,
): string[] {
  const constant = /^-?\d+$/.test(b);
  if (constant && b !== '0' && b !== '-1') return [line];
  const name = (part: string): string => `%rk.${result.slice(1).replace(/"/g, '')}.${part}`;
  const isSigned = op.startsWith('s');
  // The smallest number divided by -1 traps, too. The remainder by 1 is the same as by -1.
  return [
    `  ${name('zero')} = icmp eq ${type} ${b}, 0`,
    ...(isSigned
      ? [
          `  ${name('minus')} = icmp eq ${type} ${b}, -1`,
          `  ${name('bad')} = or i1 ${name('zero')}, ${name('minus')}`,
          `  ${name('by')} = select i1 ${name('bad')}, ${type} 1, ${type} ${b}`,
        ]
      : [`  ${name('by')} = select i1 ${name('zero')}, ${type} 1, ${type} ${b}`]),
    `  ${name('plain')} = ${op} ${type} ${a}, ${name('by')}${debug}`,
    ...(op === 'sdiv'
      ? [
          `  ${name('less')} = sub ${type} 0, ${a}`,
          `  ${name('whole')} = select i1 ${name('minus')}, ${type} ${name('less')}, ${type} ${name('plain')}`,
        ]
      : []),
    `  ${result} = select i1 ${name('zero')}, ${type} -1, ${type} ${name(op === 'sdiv' ? 'whole' : 'plain')}`,
  ];
}

/**
 * "Shift amounts greater than the register width N are clamped to N" (PTX ISA, shl and shr). LLVM removes the comparison
 * where it knows the range of the amount.
 */
function shift(
  [, result = '', op = '', bits = '', value = '', amount = '', debug = '']: RegExpExecArray,
  line: string,
): string[] {
  const width = Number(bits);
  const type = `i${bits}`;
  const isConstant = /^-?\d+$/.test(amount);
  if (isConstant && Number(amount) >= 0 && Number(amount) < width) return [line];
  const name = (part: string): string => `%rk.${result.slice(1).replace(/"/g, '')}.${part}`;
  const inside = `  ${name('inside')} = icmp ult ${type} ${amount}, ${width}`;
  if (op === 'ashr') {
    const by = name('by');
    const least = `  ${by} = select i1 ${name('inside')}, ${type} ${amount}, ${type} ${width - 1}`;
    return [inside, least, `  ${result} = ashr ${type} ${value}, ${by}${debug}`];
  }
  return [
    inside,
    `  ${name('plain')} = ${op} ${type} ${value}, ${amount}${debug}`,
    `  ${result} = select i1 ${name('inside')}, ${type} ${name('plain')}, ${type} 0`,
  ];
}

/** To 8 and 16 bits by way of 32; NaN gives the result of a GPU. */
function convert([
  ,
  result = '',
  bits,
  op = '',
  from = '',
  type = '',
  value = '',
  rest = '',
]: RegExpExecArray): string[] {
  const part = (name: string): string => `%rk.${result.slice(1).replace(/"/g, '')}.${name}`;
  const wide = bits === '64' ? 64 : 32;
  const call = `call i${wide} @llvm.${op}.sat.i${wide}.${from}(${type} ${value})${rest}`;
  if (bits === '8' || bits === '16')
    return [`  ${part('wide')} = ${call}`, `  ${result} = trunc i32 ${part('wide')} to i${bits}`];
  if (wide === 32 && from === 'f32') return [`  ${result} = ${call}`];
  return [
    `  ${part('cut')} = ${call}`,
    `  ${part('nan')} = fcmp uno ${type} ${value}, 0.0`,
    `  ${result} = select i1 ${part('nan')}, i${wide} ${wide === 64 ? -(2n ** 63n) : -(2 ** 31)}, i${wide} ${part('cut')}`,
  ];
}
