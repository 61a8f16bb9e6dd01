/** The function of the device's runtime by which kernels launch kernels. */
const LAUNCH = '@__rt_launch(';

/**
 * In a module that launches kernels, kernels have numbers from 1 in place of addresses: a table of kernels holds numbers,
 * and a launch names one. Kernels become regions, which have no address.
 */
export function withKernelNumbers(lines: readonly string[], kernels: readonly string[]): string[] {
  if (kernels.length === 0 || !lines.some((line) => line.includes(LAUNCH))) return [...lines];
  const numbers = new Map(kernels.map((name, i) => [name, i + 1]));
  const names = kernels.map((name) => name.replace(/[.$]/g, '\\$&')).join('|');
  const uses = new RegExp(`@(${names})(?![-\\w.$(])`, 'g');
  return lines.map((line) =>
    line.startsWith('define ')
      ? line
      : line.replace(uses, (_, name: string) => `inttoptr (i64 ${numbers.get(name) ?? 0} to ptr)`),
  );
}
