import { nameOf } from '../../core/check.ts';
import { readParameter } from '../../core/c-declaration.ts';
import { splitTokens } from '../../core/c-declarator.ts';
import { joinTokens, tokenize, type Token } from '../../core/c-token.ts';
import { checkTypes, type StructTypes } from '../../core/struct.ts';
import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { cudaDialect } from '../kernel/cuda-dialect.ts';
import { openclDialect } from '../kernel/opencl-dialect.ts';
import { elementNamed, type Compound, type Element, type Language } from './element.ts';

/** A parameter that the user of a generated kernel has declared. */
export interface KernelArgument {
  readonly name: string;
  /** An array's elements, or one value. */
  readonly kind: 'vector' | 'scalar';
  readonly dtype: ArrayDType | Compound;
  /** Whether elements are only read, as far as the declaration says. */
  readonly isConst: boolean;
  /** The type of an element in each language, without qualifiers. */
  readonly element: Readonly<Record<Language, string>>;
  /** The parameter's declaration in a function of each language. */
  readonly text: Readonly<Record<Language, string>>;
}

/** How a parameter list is read. */
export interface ArgumentOptions {
  /** Structs by their names in C. */
  readonly types?: StructTypes | undefined;
  /** Names that the kernel has itself. */
  readonly reserved?: readonly string[];
}

const GLOBAL = new Set(['__global', 'global', 'GLOBAL', '__generic']);
const OTHER_SPACES = new Set(['__local', 'local', 'SHARED', '__shared__', '__constant', 'constant', '__constant__']);
const KINDS =
  'a number (float a), a complex number (float2 c), a struct of the option types, or a pointer to such elements (const float *x)';

/** Names that are macros or types in every kernel's text. */
const TAKEN: ReadonlySet<string> = new Set([
  ...[cudaDialect, openclDialect].flatMap(({ prelude }) =>
    Array.from(prelude.matchAll(/#define (\w+)/g), (m) => m[1] ?? ''),
  ),
  ...Object.keys(arrayDTypes),
]);

/**
 * Read the parameters of a generated kernel: C declarations as PyCUDA and PyOpenCL take them, in one text or in a list, in either
 * language's words. `long` has 64 bits and `char` is signed.
 *
 * @param given - `'float a, const float *x, float *z'`, or a text for each
 * @param what - the kernel, for errors
 * @throws TypeError not such a text, or a parameter of another type; the message names it
 */
export function parseArguments(given: unknown, what: string, options: ArgumentOptions = {}): KernelArgument[] {
  const { types, reserved = [] } = options;
  checkTypes(types, what);
  const names = {
    dialect: 'cuda',
    aliases: new Map(),
    hidden: (name: string) => Object.hasOwn(types ?? {}, name),
  } as const;
  const seen = new Set<string>();
  return piecesOf(given, what).map((tokens, place): KernelArgument => {
    const whole = joinTokens(tokens);
    const { name, type } = readParameter(withoutSpace(tokens, what), names);
    if (name === undefined) {
      throw new TypeError(`${what}: parameter ${place}, '${whole}', must be ${KINDS}, with a name`);
    }
    checkName(name, whole, what, reserved);
    if (seen.has(name)) throw new TypeError(`${what}: each parameter must have a name of its own, got '${name}' twice`);
    seen.add(name);
    const isVector = type.kind === 'pointer';
    const spelled = (isVector ? type.element : type.text) ?? '';
    const bare = spelled.replace(/^(?:const |volatile )+/, '');
    const element = elementNamed(bare, types);
    if (element === undefined) {
      throw new TypeError(`${what}: parameter '${name}' must be ${KINDS}, got '${whole}'${adviceFor(bare, types)}`);
    }
    const qualifiers = spelled.slice(0, spelled.length - bare.length);
    return isVector ? vector(name, element, qualifiers) : scalar(name, element, tokens[0]?.text === 'const');
  });
}

function vector(name: string, { dtype, text }: Element, qualifiers: string): KernelArgument {
  return {
    name,
    kind: 'vector',
    dtype,
    isConst: qualifiers.includes('const'),
    element: text,
    text: { cuda: `${qualifiers}${text.cuda} *${name}`, opencl: `__global ${qualifiers}${text.opencl} *${name}` },
  };
}

/** Halves are computed with as floats, truth values are `bool`: what a function can take in both languages. */
function scalar(name: string, { dtype, text }: Element, isConst: boolean): KernelArgument {
  const same = (type: string): Readonly<Record<Language, string>> => ({ cuda: type, opencl: type });
  const element = dtype === 'f16' || dtype === 'bf16' ? same('float') : dtype === 'bool' ? same('bool') : text;
  const qualifier = isConst ? 'const ' : '';
  const declared = { cuda: `${qualifier}${element.cuda} ${name}`, opencl: `${qualifier}${element.opencl} ${name}` };
  return { name, kind: 'scalar', dtype, isConst: true, element, text: declared };
}

function piecesOf(given: unknown, what: string): Token[][] {
  if (typeof given === 'string') return pieces(given);
  if (!Array.isArray(given)) {
    throw new TypeError(`${what}: the parameters must be a text, 'float a, float *x', or a list, got ${nameOf(given)}`);
  }
  return given.map((each: unknown, place) => {
    const [only, more] = typeof each === 'string' ? pieces(each) : [];
    if (only !== undefined && more === undefined) return only;
    throw new TypeError(
      `${what}: parameter ${place} must be a text such as 'float *x', got ${nameOf(each)}; write one text for each`,
    );
  });
}

/** The pieces of a list; a comma behind the last one, and `void`, are none. */
function pieces(text: string): Token[][] {
  const all = splitTokens(tokenize(text));
  if (all.at(-1)?.length === 0) all.pop();
  return all.length === 1 && all[0]?.length === 1 && all[0][0]?.text === 'void' ? [] : all;
}

function withoutSpace(tokens: readonly Token[], what: string): Token[] {
  return tokens.filter(({ text }, i) => {
    if (i === tokens.length - 1) return true;
    if (OTHER_SPACES.has(text)) {
      throw new TypeError(
        `${what}: parameter '${joinTokens(tokens)}' must point to global memory, got ${text}; declare such memory in the preamble's functions`,
      );
    }
    return !GLOBAL.has(text);
  });
}

/** Refuse a name that the texts of kernels have themselves. */
export function checkName(name: string, whole: string, what: string, reserved: readonly string[]): void {
  if (reserved.includes(name)) {
    throw new TypeError(
      `${what}: a parameter must have another name than ${reserved.join(', ')}, which the kernel has itself, got '${whole}'`,
    );
  }
  if (TAKEN.has(name) || name.startsWith('rk_')) {
    throw new TypeError(
      `${what}: a parameter must have another name than the texts of kernels have for macros and types, got '${whole}'`,
    );
  }
}

function adviceFor(name: string, types: StructTypes | undefined): string {
  if (!/^\w+$/.test(name) || name === 'void') return '';
  const known = Object.keys(types ?? {});
  const given = known.length === 0 ? '' : `; types has ${known.join(', ')}`;
  return `${given}; write { types: { ${name} } } with the struct(…) of that name`;
}
