import { closing, splitList, takeType } from '../ir/text.ts';
import { vectorOf } from './built-in.ts';

const CALL = /^( *)(%[-\w.$"]+) = (?:tail )?call i32 \(ptr, \.\.\.\) @printf\(/;
const DECLARATION = /^declare .*@printf\(ptr[^)]*\.\.\.\).*$/;
const IMPORT = 'declare i32 @__rt_printf(ptr, ...) nounwind "wasm-import-module"="rt" "wasm-import-name"="printf"';
/** The promotion of small types among variadic arguments in C. */
const PROMOTED: Readonly<Record<string, readonly [instruction: string, type: string]>> = {
  i8: ['sext', 'i32'],
  i16: ['sext', 'i32'],
  half: ['fpext', 'double'],
  float: ['fpext', 'double'],
};

/**
 * Replace calls of printf by calls of the host's. A vector is passed as its elements, promoted as in C, since the
 * layout of a vector among variadic arguments depends on the machine.
 */
export function withPrintf(lines: readonly string[]): string[] {
  if (!lines.some((line) => DECLARATION.test(line))) return [...lines];
  let calls = 0;
  return lines.flatMap((line) => {
    if (DECLARATION.test(line)) return [IMPORT];
    const call = CALL.exec(line);
    return call ? hostCall(line, call, calls++) : [line];
  });
}

function hostCall(line: string, [head, indent = '', result = '']: RegExpExecArray, number: number): string[] {
  const open = head.length - 1;
  const end = closing(line, open);
  const name = `%rk.print${number}`;
  const lines: string[] = [];
  const make = (text: string): string => {
    const value = `${name}.${lines.length}`;
    lines.push(`${indent}${value} = ${text}`);
    return value;
  };
  const scalar = (type: string, value: string): string => {
    const promoted = PROMOTED[type];
    return promoted
      ? `${promoted[1]} ${make(`${promoted[0]} ${type} ${value} to ${promoted[1]}`)}`
      : `${type} ${value}`;
  };
  const args = splitList(line.slice(open + 1, end - 1)).flatMap((text) => {
    const { type, rest } = takeType(text);
    const vector = vectorOf(type);
    const value = rest.replace(/^(?:(?:noundef|signext|zeroext|nonnull|align \d+|dereferenceable\(\d+\)) )*/, '');
    if (!vector) return [scalar(type, value)];
    return Array.from({ length: vector.count }, (_, i) =>
      scalar(vector.element, make(`extractelement ${type} ${value}, i32 ${i}`)),
    );
  });
  const debug = /, !dbg !\d+/.exec(line.slice(end))?.[0] ?? '';
  // CUDA's printf tells how many directives it had; OpenCL's gives 0.
  return [
    ...lines,
    `${indent}${name} = call i32 (ptr, ...) @__rt_printf(${args.join(', ')})${debug}`,
    `${indent}${result} = and i32 ${name}, 0`,
  ];
}
