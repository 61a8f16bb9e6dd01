import type { OpenCLCase } from './case.ts';
import { atomicCases } from './corpus/atomics.ts';
import { groupCases } from './corpus/groups.ts';
import { imageCases } from './corpus/images.ts';
import { languageCases } from './corpus/language.ts';
import { memoryCases } from './corpus/memory.ts';
import { numberCases } from './corpus/numbers.ts';
import { rangeCases } from './corpus/ranges.ts';
import { reductionCases } from './corpus/reductions.ts';
import { simulationCases } from './corpus/simulation.ts';
import { sortingCases } from './corpus/sorting.ts';
import { tileCases } from './corpus/tiles.ts';
import { vectorCases } from './corpus/vectors.ts';

/** Every case, by the noun of its file. */
export const openCLCorpus: Readonly<Record<string, readonly OpenCLCase[]>> = {
  vectors: vectorCases,
  numbers: numberCases,
  memory: memoryCases,
  reductions: reductionCases,
  sorting: sortingCases,
  atomics: atomicCases,
  tiles: tileCases,
  simulation: simulationCases,
  images: imageCases,
  groups: groupCases,
  language: languageCases,
  ranges: rangeCases,
};
