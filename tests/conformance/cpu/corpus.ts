import type { Case } from './case.ts';
import { atomicCases } from './corpus/atomics.ts';
import { barrierCases } from './corpus/barriers.ts';
import { complexNumberCases } from './corpus/complex-numbers.ts';
import { dialectCases } from './corpus/dialects.ts';
import { fragmentCases } from './corpus/fragments.ts';
import { blockCollectiveCases } from './corpus/block-collectives.ts';
import { blockNeighbourCases } from './corpus/block-neighbours.ts';
import { graphCases } from './corpus/graphs.ts';
import { groupSortCases } from './corpus/group-sorts.ts';
import { groupCases } from './corpus/groups.ts';
import { imageCases } from './corpus/images.ts';
import { integerCases } from './corpus/integers.ts';
import { iteratorCases } from './corpus/iterators.ts';
import { largeGroupCases } from './corpus/large-groups.ts';
import { languageCases } from './corpus/language.ts';
import { layoutCases } from './corpus/layouts.ts';
import { launchCases } from './corpus/launches.ts';
import { linkingCases } from './corpus/linking.ts';
import { linearAlgebraCases } from './corpus/linear-algebra.ts';
import { mathCases } from './corpus/math.ts';
import { memoryCases } from './corpus/memory.ts';
import { numberCases } from './corpus/numbers.ts';
import { objectCases } from './corpus/objects.ts';
import { ptxBitCases } from './corpus/ptx-bits.ts';
import { ptxFloatCases } from './corpus/ptx-floats.ts';
import { ptxIntegerCases } from './corpus/ptx-integers.ts';
import { ptxMatrixCases } from './corpus/ptx-matrices.ts';
import { ptxThreadCases } from './corpus/ptx-threads.ts';
import { randomNumberCases } from './corpus/random-numbers.ts';
import { rangeCases } from './corpus/ranges.ts';
import { reductionCases } from './corpus/reductions.ts';
import { simulationCases } from './corpus/simulation.ts';
import { smallFloatCases } from './corpus/small-floats.ts';
import { sortingCases } from './corpus/sorting.ts';
import { textCases } from './corpus/text.ts';
import { surfaceCases } from './corpus/surfaces.ts';
import { textureReferenceCases } from './corpus/texture-references.ts';
import { textureKindCases } from './corpus/texture-kinds.ts';
import { textureCases } from './corpus/textures.ts';
import { threadAlgorithmCases } from './corpus/thread-algorithms.ts';
import { tileCases } from './corpus/tiles.ts';
import { waitCases } from './corpus/waits.ts';
import { warpCases } from './corpus/warps.ts';

/** Every case, by the noun of its file. */
export const corpus: Readonly<Record<string, readonly Case[]>> = {
  language: languageCases,
  objects: objectCases,
  memory: memoryCases,
  layouts: layoutCases,
  barriers: barrierCases,
  reductions: reductionCases,
  sorting: sortingCases,
  tiles: tileCases,
  warps: warpCases,
  groups: groupCases,
  'large-groups': largeGroupCases,
  waits: waitCases,
  fragments: fragmentCases,
  'small-floats': smallFloatCases,
  dialects: dialectCases,
  atomics: atomicCases,
  math: mathCases,
  numbers: numberCases,
  simulation: simulationCases,
  'linear-algebra': linearAlgebraCases,
  images: imageCases,
  textures: textureCases,
  'texture-kinds': textureKindCases,
  'texture-references': textureReferenceCases,
  surfaces: surfaceCases,
  text: textCases,
  graphs: graphCases,
  'ptx-integers': ptxIntegerCases,
  'ptx-bits': ptxBitCases,
  'ptx-floats': ptxFloatCases,
  'ptx-threads': ptxThreadCases,
  'ptx-matrices': ptxMatrixCases,
  'block-collectives': blockCollectiveCases,
  'block-neighbours': blockNeighbourCases,
  'group-sorts': groupSortCases,
  'thread-algorithms': threadAlgorithmCases,
  linking: linkingCases,
  launches: launchCases,
  iterators: iteratorCases,
  ranges: rangeCases,
  integers: integerCases,
  'complex-numbers': complexNumberCases,
  'random-numbers': randomNumberCases,
};
