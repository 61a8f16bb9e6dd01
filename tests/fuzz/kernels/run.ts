// Random kernels in the checked mode of the embedded device: npm run fuzz:kernels -- [options]
//   --count N            kernels that are right, each with some from which a barrier, a guard or an atomic is taken (1000)
//   --seed S             that of the first one (1)
//   --language L         cuda or opencl; both without it
//   --batch N            kernels of one compilation (12)
//   --show               print the kernels instead of running them
// A right kernel has to be silent and to give what the model gives; one that lacks something has to be reported where
// the model says that it shows. RAWKERNEL_CPU_ORDER=random:SEED draws the order of threads as well.
import { parseArgs } from 'node:util';
import { noCounts, runBatch, variantsOf, verdictOf, type Fault } from './batch.ts';
import { emit, type Language } from './emit.ts';
import { launcherOf } from './launcher.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    language: { type: 'string' },
    batch: { type: 'string', default: '12' },
    show: { type: 'boolean', default: false },
  },
});
// What the checked mode prints of each report is not for here.
const write = process.stderr.write.bind(process.stderr) as (text: unknown, ...rest: unknown[]) => boolean;
process.stderr.write = (text: unknown, ...rest: unknown[]) =>
  (typeof text === 'string' && text.startsWith('rawkernel: ')) || write(text, ...rest);

const [count, first, batch] = [Number(values.count), Number(values.seed), Number(values.batch)];
const languages: readonly Language[] =
  values.language === undefined ? ['cuda', 'opencl'] : [languageOf(values.language)];

function languageOf(text: string): Language {
  if (text !== 'cuda' && text !== 'opencl') throw new TypeError(`--language must be cuda or opencl, got ${text}`);
  return text;
}

function show(language: Language): void {
  for (let seed = first; seed < first + count; seed++) {
    for (const { name, program, mutation, outcome } of variantsOf(seed, language)) {
      console.log(
        `// ${mutation ? JSON.stringify(mutation) : 'right'}: ${verdictOf(outcome)}`,
        [...outcome.must],
        [...outcome.may],
      );
      console.log(emit(program, name, language, mutation));
    }
  }
}

function fuzz(language: Language): Fault[] {
  const counts = noCounts();
  const faults: Fault[] = [];
  const start = performance.now();
  using launcher = launcherOf(language);
  for (let seed = first; seed < first + count; seed += batch) {
    const seeds = Array.from({ length: Math.min(batch, first + count - seed) }, (_, i) => seed + i);
    write(`\r${language}: seed ${seed} of ${first + count - 1}, ${faults.length} faults `);
    for (const fault of runBatch(launcher, language, seeds, counts)) {
      faults.push(fault);
      console.log(
        `\nseed ${fault.seed}, ${language}, ${fault.mutation ? JSON.stringify(fault.mutation) : 'right'}: ${fault.what}\n${fault.source}`,
      );
    }
  }
  write('\n');
  const seconds = Math.round((performance.now() - start) / 1000);
  const { right, stillRight, reported, taken, either, eitherReported } = counts;
  const parts = Object.entries(taken).map(([what, of]) => `${of} ${what}`);
  console.log(
    `${language}, seeds ${first} to ${first + count - 1}, ${seconds} s: ${right + stillRight} right (${stillRight} that lack something), ` +
      `${reported} to be reported (${parts.join(', ')}), ${either} either way (${eitherReported} reported), ${faults.length} faults`,
  );
  return faults;
}

if (values.show) for (const language of languages) show(language);
else if (languages.flatMap(fuzz).length > 0) process.exitCode = 1;
