import { checkOptions } from '../../core/check.ts';
import { checkTypes, type StructTypes } from '../../core/struct.ts';

/** What a program is made with, besides its source. */
export interface ProgramOptions<Types extends StructTypes = StructTypes> {
  /**
   * Structs by their names in C, for the parameters that are structs: `{ Particle: struct({ x: 'f32', v: 'f32' }) }`. The type
   * checker then takes nothing else for a `Particle`.
   */
  readonly types?: Types;
}

/**
 * Check the options of a new program.
 *
 * @throws TypeError an option that there is not, or a type that is no struct's
 */
export function checkProgramOptions(options: ProgramOptions): void {
  checkOptions(options, ['types'], 'Program');
  checkTypes(options.types, 'Program');
}

/** The options of a new program among those of its build, which is given the others. */
export function splitSettings<Settings, Types extends StructTypes>({
  types,
  ...settings
}: Settings & ProgramOptions<Types>): [ProgramOptions<Types>, Omit<Settings & ProgramOptions<Types>, 'types'>] {
  return [types === undefined ? {} : { types }, settings];
}
