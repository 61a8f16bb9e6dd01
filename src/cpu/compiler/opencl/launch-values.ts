/** Kernel parameters that a launch record gives, in its order: their names and LLVM's types. */
const VALUES: readonly (readonly [name: string, type: string])[] = [
  ...['ox', 'oy', 'oz', 'fx', 'fy', 'fz', 'sx', 'sy', 'sz'].map((name) => [name, 'i64'] as const),
  ...['px', 'py', 'pz', 'nx', 'ny', 'nz', 'lx', 'ly', 'lz', 'wd'].map((name) => [name, 'i32'] as const),
];

/** How many there are. */
export const LAUNCH_VALUES: number = VALUES.length;

/** The parameters that each kernel gets after its own: the values of a launch besides its arguments. */
export const LAUNCH_PARAMETERS: readonly string[] = VALUES.map(([name, type]) => `${type} %rk.${name}`);

const CALL = new RegExp(
  `^( *%[-\\w.$"]+ = )(?:tail )?call (?:noundef )?(?:range\\([^)]*\\) )?(i32|i64) @__rt_id_(${VALUES.map(([name]) => name).join('|')})\\(\\)[^,]*(, .*)?$`,
);

/** Calls in kernels that ask for such a value, as that parameter. */
export function withLaunchValues(lines: readonly string[]): string[] {
  return lines.map((line) => (line.includes('@__rt_id_') ? line.replace(CALL, '$1add $2 %rk.$3, 0$4') : line));
}
