/**
 * An optimiser assumes that undefined behaviour does not happen: it removes a store through a pointer that is null on
 * one path, together with the path. So checked code is compiled without this assumption. Where the language gives no
 * other meaning, clang adds a check of UndefinedBehaviorSanitizer, whose reports become findings.
 */
const NO_LICENCE: readonly string[] = [
  // Null is an address, and addresses and integers wrap.
  ...['-fno-delete-null-pointer-checks', '-fwrapv-pointer', '-fwrapv', '-fno-finite-loops'],
  // A variable has some value from its declaration on.
  '-ftrivial-auto-var-init=pattern',
];
const QUESTIONS = ['array-bounds', 'object-size', 'return', 'unreachable'];
/** Numbers of bits to shift by are taken modulo the width in OpenCL C. */
const CUDA_QUESTIONS = ['shift-exponent'];

/** Flags of clang for a source with checked kernels. */
export function checkedFlags(language: 'cuda' | 'opencl'): readonly string[] {
  const questions = language === 'cuda' ? [...QUESTIONS, ...CUDA_QUESTIONS] : QUESTIONS;
  const survived = questions.filter((one) => one !== 'return' && one !== 'unreachable');
  const told = language === 'cuda' ? ['-D__RK_CHECKED__'] : [];
  return [...NO_LICENCE, ...told, `-fsanitize=${questions.join(',')}`, `-fsanitize-recover=${survived.join(',')}`];
}

/** Flags of the optimiser: type-based alias analysis may be wrong for faulty code. */
export const CHECKED_OPTIMISER: readonly string[] = [
  ...['-mllvm', '-enable-tbaa=false'],
  // A read stays where it is, also before the test that should have come first.
  ...['-mllvm', '-instcombine-code-sinking=false'],
];

/** The check of a sanitizer function. */
export interface Question {
  readonly site: 'shift' | 'index' | 'end';
  /** `Finding` of check.h. */
  readonly finding: number;
  /** Whether it belongs to an access. If the optimiser has kept the access, the access's own check reports it. */
  readonly access?: boolean;
}

const ANSWERS: Readonly<Record<string, Question>> = {
  shift_out_of_bounds: { site: 'shift', finding: 13 },
  out_of_bounds: { site: 'index', finding: 14 },
  type_mismatch_v1: { site: 'index', finding: 14, access: true },
  missing_return: { site: 'end', finding: 15 },
  builtin_unreachable: { site: 'end', finding: 15 },
};

/** The check of a sanitizer call; undefined for other calls. */
export function questionOf(callee: string): Question | undefined {
  const name = /^__ubsan_handle_(\w+?)(?:_abort)?$/.exec(callee)?.[1];
  return name === undefined ? undefined : ANSWERS[name];
}
