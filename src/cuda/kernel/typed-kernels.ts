import type { AnyKernels, ByName, IsUnknown, KernelSource } from '../../core/typed/kernels.ts';
import type { SignatureIn } from '../../core/typed/signature.ts';
import type { Space } from '../../core/typed/text.ts';

/**
 * The signatures of the kernels in a literal CUDA C++ source, by name. A text that is not literal has none that are known, and
 * doubtful ones are left out.
 */
export type CudaKernels<Source extends string> =
  IsUnknown<Source> extends true
    ? AnyKernels
    : Source extends KernelSource<infer Kernels>
      ? Kernels
      : ByName<Read<Source>>;

/** One step for each mark; more than these and the source is left untyped. */
type Most =
  '....................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................................';

type Read<
  Text extends string,
  Found extends string = never,
  Steps extends string = '',
> = Text extends `${infer Before}__global__${infer After}`
  ? Steps extends Most
    ? never
    : Read<After, Found | Marked<Before, After>, `${Steps}.`>
  : Found;

type Marked<Before extends string, After extends string> = After extends `${infer Head}{${string}`
  ? Head extends `${string}__global__${string}`
    ? never
    : Before extends `${string}template${string}`
      ? Templated<Before, SignatureIn<Head>>
      : SignatureIn<Head>
  : never;

/** Both forms, since nothing but the text before the mark tells a template's kernel. */
type Templated<Before extends string, Signature extends string> = Before extends `${string}>`
  ? Signature | (Signature extends `${infer Name}(${infer List}` ? `${Name}<(${List}` : never)
  : Before extends `${infer Rest}${Space}`
    ? Templated<Rest, Signature>
    : Signature;
