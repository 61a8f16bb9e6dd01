import type { SourceFile } from '../source-file.ts';

const HALVES = { cuda: 'rawkernel/cuda', opencl: 'rawkernel/opencl' } as const;

/**
 * The declaration file of a source: its default export has the type of a source whose kernels are known.
 *
 * @param signatures - of all kernels; the names of overloads come several times
 */
export function declarationOf({ language }: Pick<SourceFile, 'language'>, signatures: readonly string[]): string {
  const kernels = new Map<string, string[]>();
  for (const signature of signatures) {
    // A kernel whose parameters are not known takes anything.
    const whole = signature.includes('(') ? signature : `${signature}(...)`;
    const name = whole.slice(0, whole.indexOf('('));
    if (name !== '') kernels.set(name, [...(kernels.get(name) ?? []), whole]);
  }
  const lines = [...kernels].map(([name, all]) => `  readonly ${key(name)}: ${all.map(quoted).join(' | ')};`);
  return `// Written by rawkernel types. Do not edit: run it again after a change of the source.
import type { KernelSource } from '${HALVES[language]}';

declare const source: KernelSource<{
${lines.join('\n')}
}>;
export default source;
`;
}

function key(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quoted(name);
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}
