/** The name of a kernel without its parameters: `ns::scale` of `_ZN2ns5scaleIfEEvPT_S1_`, a C symbol as it is. */
export function kernelTitle(symbol: string): string {
  const nested = symbol.startsWith('_ZN');
  if (!nested && !/^_Z\d/.test(symbol)) return symbol;
  const parts: string[] = [];
  let rest = symbol.slice(nested ? 3 : 2);
  for (let match = /^\d+/.exec(rest); match; match = /^\d+/.exec(rest)) {
    const [digits] = match;
    const end = digits.length + Number(digits);
    parts.push(rest.slice(digits.length, end));
    rest = rest.slice(end);
    if (!nested) break;
  }
  return parts.join('::').replace('_GLOBAL__N_1', '(anonymous)');
}
