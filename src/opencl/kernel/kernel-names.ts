/**
 * The kernels in a literal source text: the name between `void` and `(` after each `kernel`. A text that is not literal gives
 * none, and doubtful names are left out.
 */
export type KernelNames<Source extends string> = string extends Source ? never : Find<Source>;

type Find<
  Text extends string,
  Found extends string = never,
> = Text extends `${string}kernel${infer Head}void${infer Name}(${infer Rest}`
  ? Find<Rest, Found | (Head extends `${string}${';' | '}'}${string}` ? never : Identifier<Trim<Name>>)>
  : Found;

type Space = ' ' | '\n' | '\t' | '\r';

type Trim<Text extends string> = Text extends `${Space}${infer Rest}` | `${infer Rest}${Space}` ? Trim<Rest> : Text;

type Doubtful = Space | '*' | '/' | ',' | ';' | ')' | '{' | '}' | '#' | '"' | '<' | '$';

type Identifier<Name extends string> = Name extends '' | `${string}${Doubtful}${string}` ? never : Name;
