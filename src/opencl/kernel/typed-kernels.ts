import type { AnyKernels, ByName, IsUnknown, KernelSource } from '../../core/typed/kernels.ts';
import type { SignatureIn } from '../../core/typed/signature.ts';
import type { Space } from '../../core/typed/text.ts';

/**
 * The signatures of the kernels in a literal OpenCL C source, by name. A text that is not literal has none that are known, and
 * doubtful ones are left out.
 */
export type OpenCLKernels<Source extends string> =
  IsUnknown<Source> extends true
    ? AnyKernels
    : Source extends KernelSource<infer Kernels>
      ? Kernels
      : ByName<Read<Source>>;

// `kernel` is a common word: in comments, in the names of functions and parameters. It is a mark where nothing but white space
// and attributes is between it and the return type. One recursion reads 900 of them, another one repeats that.
type Read<Text extends string, Found extends string = never, Rounds extends string = ''> =
  ReadSome<Text> extends readonly [infer More extends string, infer Rest extends string]
    ? Rest extends ''
      ? Found | More
      : Rounds extends '...'
        ? never // more than 900 kernels: the source is left untyped
        : Read<Rest, Found | More, `${Rounds}.`>
    : never;

type ReadSome<
  Text extends string,
  Found extends string = never,
  Steps extends string = '',
> = Text extends `${string}kernel${infer After}`
  ? Steps extends Most
    ? readonly [Found, Text]
    : ReadSome<After, Found | Marked<After>, `${Steps}.`>
  : readonly [Found, ''];

type Most =
  '....................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................';

type Marked<After extends string> = After extends `${infer Before}void${string}`
  ? Before extends Spaces | `${string}__attribute__${string}`
    ? After extends `${infer Head}{${string}`
      ? SignatureIn<Head>
      : never
    : never
  : never;

type Spaces = Space | `${Space}${Space}` | `${Space}${Space}${Space}`;
