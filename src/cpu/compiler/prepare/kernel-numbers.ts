/** The function of the device's runtime by which kernels launch kernels. */
const LAUNCH = '@__rt_launch(';

/**
 * In a module that launches kernels, a kernel's address is its number, from 1: a table of kernels holds numbers, too, and
 * a launch names the number. Kernels become regions, which have no address.
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
