/** `MAX_THREADS_PER_BLOCK` as a property's name: `maxThreadsPerBlock`. */
export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${PascalCase<Tail>}`
  : Lowercase<Name>;

type PascalCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Capitalize<Lowercase<Head>>}${PascalCase<Tail>}`
  : Capitalize<Lowercase<Name>>;

/** The runtime twin of {@link CamelCase}. */
export function camelCase(name: string): string {
  return name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
