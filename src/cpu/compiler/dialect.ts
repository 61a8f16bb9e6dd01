/** What clang makes of newer features in an older standard: an extension with a warning, or as here an error. */
const NEWER_THAN: Readonly<Record<string, readonly string[]>> = {
  'c++03': ['c++98-compat', 'c++14-extensions', 'c++17-extensions'],
  'c++11': ['c++14-extensions', 'c++17-extensions'],
  'c++14': ['c++17-extensions'],
};

/**
 * Errors of clang that are warnings of NVRTC or of nvcc: narrowing in braces (#2361-D), and `register`, which nvcc
 * leaves to the host's compiler.
 */
const WARNINGS_ELSEWHERE = ['c++11-narrowing', 'register'];
/** Errors of clang of which NVRTC says nothing: no space between a text and a macro. */
const NOTHING_ELSEWHERE = ['reserved-user-defined-literal'];

/**
 * Clang's flags for a C++ standard. The built-in headers need C++11, so that C++03 is C++11 without what is new in it.
 * The headers may use newer features in every standard, since these flags do not apply to system headers.
 */
export function dialectFlags(standard: string): string[] {
  return [
    `-std=${standard === 'c++03' ? 'c++11' : standard}`,
    ...(NEWER_THAN[standard] ?? []).map((group) => `-Werror=${group}`),
    ...WARNINGS_ELSEWHERE.map((group) => `-Wno-error=${group}`),
    ...NOTHING_ELSEWHERE.map((group) => `-Wno-${group}`),
    // As NVRTC, which looks at the body of a template where it is instantiated.
    '-fdelayed-template-parsing',
    ...(standard === 'c++03' ? ['-Wno-builtin-macro-redefined'] : []),
  ];
}

/** Lines before a source that are needed for its standard. */
export function dialectLines(standard: string): string[] {
  return standard === 'c++03' ? ['#undef __cplusplus', '#define __cplusplus 199711L'] : [];
}
