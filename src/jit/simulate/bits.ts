/** Functions of the bits of an integer, which is given as it is in its type. */
export function popc(x: number | bigint, bits: number): number {
  return unsigned(x, bits).replaceAll('0', '').length;
}

export function clz(x: number | bigint, bits: number): number {
  const text = unsigned(x, bits);
  return text === '0' ? bits : bits - text.length;
}

export function ffs(x: number | bigint, bits: number): number {
  const text = unsigned(x, bits);
  return text === '0' ? 0 : text.length - text.lastIndexOf('1');
}

export function brev(x: number | bigint, bits: number): number | bigint {
  const turned = BigInt(`0b${Array.from(unsigned(x, bits).padStart(bits, '0')).reverse().join('')}`);
  return bits === 64 ? turned : Number(turned);
}

function unsigned(x: number | bigint, bits: number): string {
  return BigInt.asUintN(bits, BigInt(x)).toString(2);
}
