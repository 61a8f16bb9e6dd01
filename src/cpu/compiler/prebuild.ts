import { writeBuildState } from '../files/build-state.ts';
import { headerRecipes } from './front-end.ts';
import { bring } from './artifact.ts';
import { libraryRecipes } from './library.ts';
import { openCLRecipes } from './opencl/library.ts';
import { ptxRecipe } from './ptx/library.ts';
import { loadToolchain } from './toolchain.ts';

// A part of the package's build: the artifacts that every compilation needs and that depend on the package's sources
// only.
await bring([...libraryRecipes(), ...headerRecipes(), ...openCLRecipes(), ptxRecipe()], loadToolchain);
writeBuildState();
