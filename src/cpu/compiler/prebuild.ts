import { writeBuildState } from '../files/build-state.ts';
import { headerRecipes } from './front-end.ts';
import { bring } from './artifact.ts';
import { libraryRecipes } from './library.ts';
import { openCLRecipes } from './opencl/library.ts';
import { loadToolchain } from './toolchain.ts';

// Part of the package's build: what every compilation needs and what depends on the package's own sources alone.
await bring([...libraryRecipes(), ...headerRecipes(), ...openCLRecipes()], loadToolchain);
writeBuildState();
