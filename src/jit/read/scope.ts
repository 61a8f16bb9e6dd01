import type { Span, Variable } from '../tree.ts';
import { UNKNOWN, type KernelType } from '../kernel-type.ts';

/** What cannot be the name of a variable in C, in CUDA C++ or in OpenCL C, or means something there. */
const RESERVED: ReadonlySet<string> = new Set(
  `alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const const_cast consteval
  constexpr constinit continue decltype default delete do double dynamic_cast else enum explicit export extern false float for friend
  goto half if inline int kernel long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public
  register reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct switch template this
  thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq global local
  constant generic pipe uchar ushort uint ulong size_t uniform read_only write_only read_write threadIdx blockIdx blockDim gridDim
  warpSize main max min abs pow sqrt exp log sin cos tan floor ceil round trunc fabs fma clz popcount barrier printf select step sign
  cross dot length distance normalize mix clamp degrees radians mad rotate any all isnan isfinite hypot atan2 cbrt rsqrt`.split(
    /\s+/,
  ),
);

/** Families of names that headers, and the texts that are made, have: macros, vectors, functions of one type. */
const TAKEN: readonly RegExp[] = [
  /^(?:__|\d)/,
  /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/,
  /^(?:INFINITY|NAN|NULL|MAXFLOAT|FN|GLOBAL|SHARED|ALIGNED|BARRIER|GROUPS|UNROLL|INDEPENDENT|EOF)$/,
  /^(?:u?(?:char|short|int|long)|float|double|half)\d+$/,
  /^(?:as|get|convert|atomic|atom|js|native|make|vload|vstore|sub_group|work_group|mem|async|f16_to|bf16_to|f32_to)_/,
  /^atomic[A-Z]/,
  /^(?:floor_quotient|integer_power|nullptr_t|half_t)/,
  /^(?:a?(?:sin|cos|tan)h?|exp[12m]*|expm1|log(?:2|10|1p)?|pow|fmod|f?abs|sqrt|cbrt|r?sqrt|floor|ceil|trunc|hypot|atan2|fma|llabs)f?$/,
];

/** Whether a name means something in one of the languages that are written. */
export function isTakenName(name: string): boolean {
  return RESERVED.has(name) || TAKEN.some((names) => names.test(name));
}

/** The variables of a function. They are kept from pass to pass, so that each pass knows the types that the last one found. */
export class Variables {
  readonly #known = new Map<number, Variable>();
  readonly #made = new Map<string, Variable>();
  readonly #texts = new Set<string>();

  get all(): readonly Variable[] {
    return [...this.#known.values(), ...this.#made.values()];
  }

  /** The variable that is declared at a place. */
  declare(name: string, span: Span, type: KernelType = UNKNOWN, isHoisted = false): Variable {
    const known = this.#known.get(span.start);
    if (known) return known;
    const variable: Variable = {
      name,
      text: this.text(name),
      type,
      isAssigned: false,
      isWritten: false,
      isHoisted,
      span: { start: span.start, end: span.end },
    };
    this.#known.set(span.start, variable);
    return variable;
  }

  /** A variable that the reader makes for something of the text. */
  made(name: string, span: Span, isHoisted: boolean): Variable {
    const key = `${name} ${span.start} ${span.end}`;
    const known = this.#made.get(key);
    if (known) return known;
    const variable: Variable = {
      name,
      text: this.text(name),
      type: UNKNOWN,
      isAssigned: true,
      isWritten: false,
      isHoisted,
      isMade: true,
      span: { start: span.start, end: span.end },
    };
    this.#made.set(key, variable);
    return variable;
  }

  /** A name that no other variable has, as near to the given one as C allows. */
  text(name: string): string {
    const plain = name.replaceAll('$', '_').replaceAll(/[^\w]/g, '_');
    const legal = isTakenName(plain) ? `${plain.replace(/^_*/, 'v_')}_` : plain;
    let text = legal;
    for (let i = 1; this.#texts.has(text); i++) text = `${legal}_${i}`;
    this.#texts.add(text);
    return text;
  }
}

/** Names that are visible at a place. */
export class Scope {
  readonly #names = new Map<string, Variable>();
  readonly #parent: Scope | undefined;

  constructor(parent?: Scope) {
    this.#parent = parent;
  }

  add(variable: Variable): void {
    this.#names.set(variable.name, variable);
  }

  /** Declare where the function begins: `var`. */
  addToTop(variable: Variable): void {
    if (this.#parent) this.#parent.addToTop(variable);
    else this.#names.set(variable.name, variable);
  }

  find(name: string): Variable | undefined {
    return this.#names.get(name) ?? this.#parent?.find(name);
  }

  /** What the same block declares. */
  own(name: string): Variable | undefined {
    return this.#names.get(name);
  }
}
