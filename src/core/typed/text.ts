// Text at the level of types. What the type checker counts are instantiations: about five for each pattern, and one for each
// alternative in it that is not a literal; a recursion has at most 1,000 steps. So a source, which has no bound, is searched by
// single patterns, and only the short texts found there are walked, after a look whether that is needed at all.

export type Space = ' ' | '\n' | '\t' | '\r';

/** Without the white space around it. */
export type Trim<Text extends string> = Text extends `${Space}${infer Rest}`
  ? Trim<Rest>
  : Text extends `${infer Rest}${Space}`
    ? Trim<Rest>
    : Text;

type Untidy = `${string}${'\n' | '\t' | '  '}${string}` | ` ${string}` | `${string} `;

/** Trimmed, and every run of white space as one blank. */
export type Tidy<Text extends string> = Text extends Untidy ? Trim<Collapsed<Text>> : Text;

// One character after the other: a pattern of several would match at the place of each of them. Lists are often aligned.
type Collapsed<Text extends string> = Text extends `${infer Head}        ${infer Rest}`
  ? Collapsed<`${Head} ${Rest}`>
  : Text extends `${infer Head}\n${infer Rest}`
    ? Collapsed<`${Head} ${Rest}`>
    : Text extends `${infer Head}  ${infer Rest}`
      ? Collapsed<`${Head} ${Rest}`>
      : Text extends `${infer Head}\t${infer Rest}`
        ? Collapsed<`${Head} ${Rest}`>
        : Text extends `${infer Head}\r${infer Rest}`
          ? Collapsed<`${Head} ${Rest}`>
          : Text;

/** Without comments; `never` where there are more than a declaration has. */
export type Uncommented<
  Text extends string,
  Before extends string = '',
  Steps extends 0[] = [],
> = Steps['length'] extends 99
  ? never
  : Text extends `${infer Head}/${infer Rest}`
    ? Rest extends `/${infer Line}`
      ? Line extends `${string}\n${infer After}`
        ? Uncommented<`\n${After}`, `${Before}${Head}`, [...Steps, 0]>
        : `${Before}${Head}`
      : Rest extends `*${infer Comment}`
        ? Comment extends `${string}*/${infer After}`
          ? Uncommented<After, `${Before}${Head} `, [...Steps, 0]>
          : `${Before}${Head}`
        : Uncommented<Rest, `${Before}${Head}/`, [...Steps, 0]>
    : `${Before}${Text}`;
