/** Names that need a header in NVRTC and here, and that nvcc has by the header that it includes itself. */
const HEADERS: readonly (readonly [names: RegExp, header: string])[] = [
  [
    /^u?int(?:_least|_fast)?(?:8|16|32|64)_t$|^u?int(?:ptr|max)_t$|^U?INT(?:8|16|32|64|PTR|MAX)_M(?:AX|IN)$/,
    'stdint.h',
  ],
  [/^(?:CHAR_BIT|(?:S?CHAR|SHRT|INT|LONG|LLONG)_M(?:AX|IN)|U(?:CHAR|SHRT|INT|LONG|LLONG)_MAX)$/, 'limits.h'],
  [/^(?:FLT|DBL)_(?:MAX|MIN|EPSILON|DIG|MANT_DIG|TRUE_MIN|M(?:AX|IN)(?:_10)?_EXP)$/, 'float.h'],
  [
    /^(?:INFINITY|NAN|HUGE_VALF?|M_(?:E|LOG2E|LOG10E|LN2|LN10|PI|PI_2|PI_4|1_PI|2_PI|2_SQRTPI|SQRT2|SQRT1_2))$/,
    'math.h',
  ],
  [/^(?:ssize_t|u_(?:char|short|int|long)|off_t)$/, 'sys/types.h'],
  [/^(?:RAND_MAX|EXIT_SUCCESS|EXIT_FAILURE)$/, 'stdlib.h'],
];
/** The same of names in `std`. */
const STD_HEADERS: readonly (readonly [names: RegExp, header: string])[] = [
  [
    /^(?:min|max|clamp|copy(?:_if|_n)?|fill(?:_n)?|find(?:_if)?|count(?:_if)?|(?:stable_)?sort|reverse|rotate|swap_ranges|transform|lower_bound|upper_bound|(?:all|any|none)_of|(?:min|max)_element)$/,
    'algorithm',
  ],
  [/^(?:accumulate|iota|inner_product|(?:in|ex)clusive_scan|reduce|gcd|lcm|midpoint)$/, 'numeric'],
  [/^(?:optional|nullopt|make_optional)$/, 'optional'],
  [/^(?:span|dynamic_extent)$/, 'span'],
  [/^(?:tuple|make_tuple|tie|tuple_cat|apply)$/, 'tuple'],
  [/^(?:array|to_array)$/, 'array'],
  [/^(?:complex|polar|conj)$/, 'complex'],
  [
    /^(?:bit_cast|popcount|count[lr]_(?:zero|one)|rot[lr]|bit_(?:ceil|floor|width)|has_single_bit|endian|byteswap)$/,
    'bit',
  ],
  [/^(?:plus|minus|multiplies|divides|less|greater|equal_to|negate|identity|invoke|ref|cref|not_fn)$/, 'functional'],
  [/^(?:move|forward|swap|pair|make_pair)$/, 'utility'],
  [/^(?:numeric_limits)$/, 'limits'],
  [/^(?:enable_if(?:_t)?|is_\w+|conditional(?:_t)?|remove_\w+|decay(?:_t)?)$/, 'type_traits'],
  [/^(?:u?int(?:8|16|32|64)_t)$/, 'cstdint'],
  [
    /^(?:sqrt|pow|exp\w*|log\w*|sin\w*|cos\w*|tan\w*|a(?:sin|cos|tan)\w*|f?abs|floor|ceil|round|trunc|f(?:ma|max|min|mod)|is(?:nan|inf|finite)|hypot|cbrt|erfc?)$/,
    'cmath',
  ],
];
/** Types and headers of CUDA's 16-bit and 8-bit numbers. */
const NUMBERS: readonly (readonly [names: RegExp, header: string])[] = [
  [/^(?:__)?half2?$|^nv_half2?$/, 'cuda_fp16.h'],
  [/^(?:__)?nv_bfloat16(?:2)?$/, 'cuda_bf16.h'],
  [/^__nv_fp8\w*$/, 'cuda_fp8.h'],
  [/^(?:nvcuda|wmma)$/, 'mma.h'],
  [/^(?:cooperative_groups|cg)$/, 'cooperative_groups.h'],
];
const COMES_WITH_RUNTIME = 'cuda_runtime.h';

/** Functions of a warp that compute capability 7.0 has removed, and what a mask makes of them. */
const BEFORE_SYNC = /undeclared identifier '(__(?:shfl(?:_up|_down|_xor)?|ballot|any|all))'/g;

const PLAIN = /error: (?:unknown type name|use of undeclared identifier|no template named) '(\w+)'/g;
const IN_STD = /error: no (?:member|template|type) named '(\w+)' in namespace '(?:cuda::)?std'/g;

/** Notes on names that a log says are unknown: which header has them, or what has replaced them. */
export function notesOnNames(log: string): string[] {
  const notes = new Set<string>();
  for (const [, name = ''] of log.matchAll(PLAIN)) {
    const header = headerOf(HEADERS, name);
    if (header !== undefined) notes.add(`${name} is not built in: include <${header}> or <${COMES_WITH_RUNTIME}>`);
    const own = headerOf(NUMBERS, name);
    if (own !== undefined) notes.add(advice(name, own));
  }
  for (const [, name = ''] of log.matchAll(IN_STD)) {
    const header = headerOf(STD_HEADERS, name);
    const runtime = header === 'algorithm' || header === 'utility' || header === 'cmath' || header === 'cstdint';
    if (header !== undefined)
      notes.add(`std::${name} is not built in: include <${header}>${runtime ? ` or <${COMES_WITH_RUNTIME}>` : ''}`);
  }
  for (const [, name = ''] of log.matchAll(BEFORE_SYNC)) {
    const first = name === '__ballot' || name === '__any' || name === '__all' ? 'predicate' : 'value';
    notes.add(
      `compute capability 7.0 has removed ${name}(): take ${name}_sync(mask, ${first}${first === 'value' ? ', …' : ''}), ` +
        'with the mask of the threads that call it (all of a warp: 0xffffffff), or compile for -arch=sm_60',
    );
  }
  return [...notes];
}

function headerOf(rows: readonly (readonly [RegExp, string])[], name: string): string | undefined {
  return rows.find(([names]) => names.test(name))?.[1];
}

function advice(name: string, header: string): string {
  if (name === 'cg')
    return `cg is a name of the source's own: namespace cg = cooperative_groups;, after #include <${header}>`;
  if (name === 'wmma')
    return `wmma is in the namespace nvcuda: include <${header}> and write nvcuda::wmma or using namespace nvcuda`;
  return `${name} is not built in: include <${header}>`;
}
