import type { ReportKind } from '../../../src/core/kernel-report.ts';
import { emit, type Language } from './emit.ts';
import { generate } from './generate.ts';
import type { Launched, Launcher } from './launcher.ts';
import { run, type Outcome } from './model.ts';
import type { Mutation, Program } from './program.ts';

/** A kernel that is right, or one that lacks something. */
export interface Variant {
  readonly seed: number;
  readonly name: string;
  readonly program: Program;
  readonly mutation: Mutation | undefined;
  readonly outcome: Outcome;
}

/** What a kernel must give. */
export type Verdict = 'silent' | 'reported' | 'either';

/** What was wrong with what the checked mode said. */
export interface Fault {
  readonly seed: number;
  readonly language: Language;
  readonly what: string;
  readonly mutation: Mutation | undefined;
  readonly source: string;
}

/** How many kernels there were. */
export interface Counts {
  right: number;
  /** Without a barrier, a guard or an atomic, and still right. */
  stillRight: number;
  reported: number;
  /** Those that must be reported, by what was taken. */
  readonly taken: Record<string, number>;
  /** Those that may be reported, and those of them that were. */
  either: number;
  eitherReported: number;
}

export const noCounts = (): Counts => ({
  right: 0,
  stillRight: 0,
  reported: 0,
  taken: {},
  either: 0,
  eitherReported: 0,
});

/** Mutations of a kernel that are tried. */
const MUTANTS = 4;

export function variantsOf(seed: number, language: Language): Variant[] {
  const { program, mutations } = generate(seed, language);
  // Spread over the kernel, another part of them for each seed.
  const step = Math.max(1, Math.ceil(mutations.length / MUTANTS));
  const chosen = mutations.filter((_, i) => i % step === seed % step);
  return [undefined, ...chosen].map((mutation, i) => {
    const outcome = run(program, language, mutation);
    if (!mutation && verdictOf(outcome) !== 'silent') {
      throw new Error(`the generator has made a wrong kernel of seed ${seed}: ${wrongs(outcome)}`);
    }
    return { seed, name: `${program.name}_${i}`, program, mutation, outcome };
  });
}

function wrongs({ must, may }: Outcome): string {
  return [...[...must].map(([kind, why]) => `${kind}: ${why}`), ...may].join('; ');
}

export function verdictOf({ must, may }: Outcome): Verdict {
  if (must.size > 0) return 'reported';
  return may.size > 0 ? 'either' : 'silent';
}

/** Run the kernels of some seeds, and say what is not as it has to be. */
export function runBatch(launcher: Launcher, language: Language, seeds: readonly number[], counts: Counts): Fault[] {
  const variants = seeds.flatMap((seed) => variantsOf(seed, language));
  const textOf = ({ program, name, mutation }: Variant): string => emit(program, name, language, mutation);
  using compiled = launcher.compile(variants.map(textOf).join('\n'));
  return variants.flatMap((variant): Fault[] => {
    const { seed, mutation, name, program } = variant;
    const what = judge(variant, compiled.launch(name, program), counts);
    return what === undefined ? [] : [{ seed, language, what, mutation, source: textOf(variant) }];
  });
}

function judge({ outcome, mutation }: Variant, { memory, reports }: Launched, counts: Counts): string | undefined {
  const said = reports.map(String).join('\n');
  switch (verdictOf(outcome)) {
    case 'silent': {
      if (mutation) counts.stillRight++;
      else counts.right++;
      if (reports.length > 0) return `reported, and right:\n${said}`;
      return differenceOf(outcome, memory);
    }
    case 'reported': {
      counts.reported++;
      const taken = mutation?.take ?? '';
      counts.taken[taken] = (counts.taken[taken] ?? 0) + 1;
      const kinds = new Set<ReportKind>(reports.map(({ kind }) => kind));
      if ([...outcome.must.keys()].some((kind) => kinds.has(kind))) return undefined;
      return `not reported: ${wrongs(outcome)}${said === '' ? '' : `\nbut:\n${said}`}`;
    }
    case 'either':
      counts.either++;
      if (reports.length > 0) counts.eitherReported++;
      return undefined;
  }
}

function differenceOf(outcome: Outcome, memory: Launched['memory']): string | undefined {
  for (const [name, wanted] of Object.entries(outcome.memory)) {
    const got = memory[name] ?? [];
    const at = wanted.findIndex((value, i) => value !== undefined && value !== got[i]);
    if (at >= 0) return `${name}[${at}] is ${got[at] ?? 'nothing'}, not ${wanted[at] ?? 'nothing'}`;
  }
  return undefined;
}
