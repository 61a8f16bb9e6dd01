import type { StructTypes } from '../struct.ts';
import type { NameIn, TidySignature } from './signature.ts';

/** No structs. */
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- none is what it says
export type NoTypes = Readonly<Record<never, never>>;

/** A source whose kernels a declaration file tells, as `npx rawkernel types` writes it. */
export type KernelSource<Kernels extends Readonly<Record<string, string>>> = string & { readonly '~kernels': Kernels };

/** What a kernel is known by: nothing (`any`), its C signature, or that and the structs it takes. */
export type Shape = string | readonly [signature: string, types: StructTypes];

/** The C signature in a shape. */
export type SignatureOf<S extends Shape> = S extends readonly [infer Signature extends string, StructTypes]
  ? Signature
  : S & string;

/** The structs in a shape. */
export type TypesOf<S extends Shape> = S extends readonly [string, infer Types] ? Types : NoTypes;

/** Kernels by name, of their signatures. A template's are under its name with a `<` behind it. */
export type ByName<Signatures extends string> = {
  readonly [Signature in Signatures as NameIn<Signature>]: Signature extends `${string}<(${string}`
    ? Untemplated<Signature>
    : Signature;
};

type Untemplated<Signature extends string> = Signature extends `${infer Name}<${infer List}` ? `${Name}${List}` : never;

/** The names to complete; every other string is allowed. */
export type NameOf<Kernels> = Exclude<keyof Kernels & string, `${string}<`> | (string & NoTypes);

/** The shape of the kernel of a name; `any` where it is not known. */
export type ShapeOf<Kernels, Name extends string, Types extends StructTypes> = Kernels extends {
  readonly [N in Name]: infer Signature extends string;
}
  ? With<Signature, Types>
  : Name extends `${infer Template}<${string}`
    ? Kernels extends { readonly [N in `${Template}<`]: infer Signature extends string }
      ? With<Signature, Types>
      : AnyShape
    : AnyShape;

type With<Signature extends string, Types extends StructTypes> =
  IsUnknown<keyof Types> extends true ? TidySignature<Signature> : readonly [TidySignature<Signature>, Types];

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- where nothing is known anything will do
export type AnyShape = any;
/** A source of which nothing is known. */
export type AnySource = AnyShape;
/** Structs of which nothing is known. */
export type AnyTypes = AnyShape;
/** The kernels of such a source. */
export type AnyKernels = AnyShape;

/** Whether nothing is known. */
export type IsUnknown<S> = string extends S ? true : false;
