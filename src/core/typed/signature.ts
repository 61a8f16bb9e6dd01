import type { Space, Tidy, Trim, Uncommented } from './text.ts';

// A kernel is known to the type checker by its C signature, a literal such as `saxpy(int n, float a, const float *x, float *y)`:
// it is what the editor shows, what declaration files hold, and what argument types are read from when the kernel is called.

/** The list of a kernel whose parameters cannot be read: a call of it takes anything. */
export type Open = '...';

/**
 * The signature in the text from a kernel's mark (`__global__`, `__kernel`) to its body; `never` where that is no kernel.
 */
export type SignatureIn<Head extends string> = Head extends `${string}/${string}`
  ? Named<Uncommented<Head>>
  : Named<Head>;

/** Behind the return type: a name and its list. In front of it there are attributes at most. */
type Named<Head extends string> = Head extends `${infer Before}void ${infer Name}(${infer Rest}`
  ? Before extends ' ' | '\n' | ''
    ? Name extends Unclear
      ? Sought<Head>
      : Listed<Name, Rest>
    : Sought<Head>
  : Sought<Head>;

type NoDeclaration = `${string}${';' | '}' | '#' | '=' | '"'}${string}`;

/** What is no plain name. */
type Unclear = '' | Attribute | `${string}${' ' | '\n' | '\t' | '<' | ':' | '*' | ';' | ',' | '#'}${string}`;

/** Attributes that may stand between the return type and the name. */
type Attribute = `__${'launch_bounds' | 'cluster_dims' | 'maxnreg' | 'block_size' | 'attribute' | 'align'}__`;

/** The same where white space or attributes stand between. */
type Sought<Head extends string> = Head extends `${infer Before}void${Space}${infer After}`
  ? Before extends NoDeclaration
    ? never
    : After extends `${infer Name}(${infer Rest}`
      ? Declared<Trim<Name>, Rest>
      : never
  : never;

type Declared<Name extends string, Rest extends string> = Name extends Attribute
  ? Rest extends `${string})${infer After}`
    ? BehindAttribute<Trim<After>>
    : never
  : Name extends Unclear
    ? never
    : Listed<Name, Rest>;

type BehindAttribute<After extends string> = After extends `)${infer Rest}`
  ? BehindAttribute<Trim<Rest>>
  : After extends `${infer Name}(${infer Rest}`
    ? Declared<Trim<Name>, Rest>
    : never;

/** A list ends at its first `)`, or is not read. Two lists are a macro's and the kernel's. */
type Listed<Name extends string, Rest extends string> = Rest extends `${infer List})${infer After}`
  ? List extends Unreadable
    ? `${Name}(${Open})`
    : After extends `${'' | Space}(${string}`
      ? never
      : `${Name}(${List})`
  : never;

/** What may hide further parameters. */
type Unreadable = `${string}${'(' | '#' | '...' | '\\' | '[['}${string}`;

/** The signature as the editor shows it: every run of white space is one blank. */
export type TidySignature<Signature extends string> = Signature extends `${infer Name}(${infer List})`
  ? `${Name}(${Tidy<List>})`
  : Signature;

/** The name in a signature. */
export type NameIn<Signature extends string> = Signature extends `${infer Name}(${string}` ? Name : never;
