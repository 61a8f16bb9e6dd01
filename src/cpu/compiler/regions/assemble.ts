import type { CpuKernel, CpuObject, CpuPlace, CpuReach, CpuShape, CpuSite } from '../../abi/program.ts';
import { checkedStyle, checkSupport } from '../checks/check-support.ts';
import { readDebugInfo, withoutDebug, type DebugInfo } from '../ir/debug-info.ts';
import { emitKernel } from './driver.ts';
import { showLibraryVariables } from '../prepare/globals.ts';
import { instrument, memoryOf, type Checks, type Instrumentation } from '../checks/instrument.ts';
import { ObjectNames } from '../checks/object-names.ts';
import { KernelError } from '../kernel-error.ts';
import { IrError } from '../ir/text.ts';
import type { CutModule } from '../link.ts';
import { loopStyle, trailerOf } from './trailer.ts';
import { recursiveFunctions, refuseLargeFrames, STACK_SETTER, STACK_SUPPORT, withStackCheck } from './stack.ts';
import { lockstepReads } from '../prepare/lockstep.ts';
import { editModule, parametersOf, parseModule, reaching, type IrFunction, type IrModule } from '../ir/module.ts';
import type { Variables } from '../checks/origin.ts';
import type { Reach } from '../checks/reach.ts';
import { mergeOf } from './merged-blocks.ts';
import { planKernel, type KernelPlan, type PlanOptions } from './plan.ts';
import { attributeGroups, BARRIERS, type Prepared, type PreparedKernel } from '../prepare/prepare.ts';
import type { DriverStyle } from './signature.ts';
import { BLOCK_IDS, SPILLED_DYNAMIC, SPILLED_IDS, THREAD_IDS, withoutMemory } from './regions.ts';
import { sharedOf } from './shared-use.ts';
import { readSanitizerData } from '../checks/sanitizer-data.ts';
import { Sites } from '../checks/sites.ts';

/** A module cut into regions, ready for the second stage. */
export interface Assembled extends CutModule {
  readonly kernels: readonly CpuKernel[];
  readonly sites: readonly CpuSite[];
  /** Of code that is checked. */
  readonly objects: readonly CpuObject[] | undefined;
  readonly shapes: readonly CpuShape[] | undefined;
  /** Functions that the runtime calls besides the kernels. */
  readonly exports: readonly string[];
  readonly warnings: readonly string[];
}

const GROUP_NAME = / (#\d+)(?= |$)/;
const ID_CALL = /@__rt_id_(\w+)\(/;
/** How a module is to be checked. */
export interface Checking {
  readonly checks: Checks;
  /** Names of the variables that are checked for a missing value, by their numbers. */
  readonly unset: readonly string[];
  /** Whether accesses are refused for want of peer access. */
  readonly peers?: boolean | undefined;
}

/** Options of kernels besides the checks. */
export interface AssembleOptions {
  /** A thread must have reached each barrier before it ends, as in OpenCL. */
  readonly everyExit?: boolean;
  /** Threads run in any order. */
  readonly shuffled?: boolean | undefined;
}

/** The function with which the runtime sets the order of threads. */
const SHUFFLE = '__rk_shuffle';

/** The second edit: kernels become regions and loops over their threads. */
export function assemble(
  lines: readonly string[],
  prepared: Prepared,
  checking?: Checking,
  { everyExit = false, shuffled = false }: AssembleOptions = {},
): Assembled {
  const checks = checking?.checks;
  const module = parseModule(showLibraryVariables(lines));
  const debug = readDebugInfo(module.lines);
  const kernels = new Map(prepared.kernels.map((kernel) => [kernel.symbol, kernel]));
  const outside = module.functions.filter(({ name }) => !kernels.has(name));
  const tell = tellers(module, outside);
  const recursive = recursiveFunctions(outside);
  const groups = attributeGroups(module.lines);
  refuseHiddenBarriers(module, outside, kernels, debug);
  refuseLargeFrames(module, kernels);
  const sites = new Sites(debug);
  const names = checking && new ObjectNames(module.lines, prepared.dynamic);
  const variables = variablesOf(prepared, module);
  const objects = names?.all(variables);
  const look = checking && names && lookWith(checking, module, variables, sites, names, debug);
  const loud = look ? loudFunctions(outside.map((fn) => look(fn).fn)) : new Set<string>();
  const known = new Set(outside.map(({ name }) => name));
  const quiet = (name: string): boolean => known.has(name) && !loud.has(name);
  const made: CpuKernel[] = [];
  const warnings: string[] = [];
  let isPacked = false;
  const code: string[] = [];
  const cut = (fn: IrFunction, kernel: PreparedKernel): void => {
    const spillIds = tell.size > 0 && (fn.indirect || [...fn.calls].some((name) => tell.has(name)));
    const looked = look?.(fn, kernel, quiet);
    const plan = planOf(looked?.fn ?? fn, module, kernel, debug, {
      shuffled,
      shared: prepared.shared,
      checked: !!looked,
    });
    isPacked ||= plan.isPacked;
    const common = styleOf(plan, spillIds, sites.next, shuffled, checks && checkedStyle(checks, everyExit), quiet);
    const sharedBytes = sharedOf(fn, module, prepared.shared);
    const isMerged = !checks && !shuffled && !spillIds;
    const style = { ...common, merge: isMerged ? mergeOf(plan, sharedBytes > 0) : undefined };
    warnings.push(...lockstepWarnings(plan, prepared, debug));
    const place = placeOf(fn, kernel, debug);
    for (const { debug: location } of plan.barriers) sites.add(location, 'barrier', 0, place);
    // One by one: a long list of arguments overflows the stack.
    for (const one of emitKernel(plan, kernel.parameters, style)) code.push(one);
    made.push({
      ...describe(plan, named(fn, kernel, names), sharedBytes, place.function),
      ...(looked?.reach ? { reach: reachIn(looked.reach) } : {}),
    });
  };
  const definition = (fn: IrFunction): string[] => {
    const kernel = kernels.get(fn.name);
    if (!kernel) {
      const edited = editOutside(look ? look(fn).fn : fn, tell, groups).map((line) => withoutDebug(line, debug));
      return recursive.has(fn.name) ? withStackCheck(edited) : edited;
    }
    cut(fn, kernel);
    return [];
  };
  const out = editModule(module, definition, (line) => (isDropped(line) ? [] : [withoutDebug(line, debug)]));
  if (tell.size > 0) code.push(...spilledIds());
  if (recursive.size > 0) code.push(...STACK_SUPPORT);
  const support = checks && checkSupport(checks, variables);
  if (shuffled)
    code.push(`define void @${SHUFFLE}(i32 %seed) nounwind {`, '  call void @__rt_order(i32 %seed)', '  ret void', '}');
  const all = [...out, ...code, ...(support?.lines ?? [])].join('\n');
  const exports = [
    ...(support?.exports ?? []),
    ...(shuffled ? [SHUFFLE] : []),
    ...(recursive.size > 0 ? [STACK_SETTER] : []),
  ];
  return {
    text: `${all}\n${trailerOf(all).join('\n')}\n`,
    kernels: made,
    sites: sites.list,
    objects,
    shapes: names?.shapes.list,
    exports,
    warnings,
    isPacked,
  };
}

/** A kernel with the names of its pointers. */
function named(fn: IrFunction, kernel: PreparedKernel, names: ObjectNames | undefined): PreparedKernel {
  const known = names?.parametersOf(fn);
  if (!names || !known) return kernel;
  const parameters = kernel.parameters.map((parameter, i) => {
    const { name, shape } = known.get(i) ?? {};
    return name === undefined || !shape ? parameter : { ...parameter, name, shape: names.shapes.numberOf(shape) };
  });
  return { ...kernel, parameters };
}

/** The program's variables that the optimiser has kept; clang's own variables have no names. */
function variablesOf({ shared, variables }: Prepared, { lines }: IrModule): Variables {
  const left = new Set(lines.filter((line) => line.startsWith('@')).map((line) => line.slice(1, line.indexOf(' = '))));
  const named = variables.filter(({ symbol }) => left.has(symbol) && !/^(?:\.|\d)/.test(symbol));
  return {
    shared: new Map([...shared].filter(([symbol]) => left.has(symbol))),
    device: new Map(named.map(({ symbol, byteLength }) => [symbol, byteLength])),
  };
}

function lockstepWarnings(plan: KernelPlan, { shared }: Prepared, debug: DebugInfo): string[] {
  const place = debug.placeOf(lockstepReads(plan, shared)[0]?.debug);
  if (!place) return [];
  const what = 'volatile shared memory is written and read with no __syncwarp() between';
  const text = `${what}: the CPU device does not run the threads of a warp in lockstep`;
  return [`${place.file}:${place.line}:${place.column ?? 1}: warning: ${text}`];
}

function planOf(
  fn: IrFunction,
  module: IrModule,
  kernel: PreparedKernel,
  debug: DebugInfo,
  options: PlanOptions,
): KernelPlan {
  try {
    return planKernel(fn, module.types, options);
  } catch (error) {
    if (!(error instanceof IrError)) throw error;
    throw new KernelError(
      `kernel ${kernel.symbol} has code that the CPU device cannot run: ${error.message}`,
      kernel.line,
      debug.placeOf(error.debug),
    );
  }
}

function styleOf(
  plan: KernelPlan,
  spillIds: boolean,
  sites: number,
  shuffled: boolean,
  checks: ReturnType<typeof checkedStyle> | undefined,
  quiet: (name: string) => boolean,
): DriverStyle {
  const own = plan.blocks.some(({ instructions }) =>
    instructions.some(({ op, result }) => op === 'alloca' && !plan.privates.has(result ?? '')),
  );
  // Threads must run one after another if they share a private array outside of the context or the variables of the
  // spilled indices, or if their order is drawn. Checked threads share the tables of the checks too, unless their
  // accesses were checked before (`looked`).
  const alone = own || spillIds || shuffled;
  return {
    ...loopStyle(!alone && !checks),
    spillIds,
    sites,
    shuffled,
    ...(checks && !shuffled ? { looked: { ...loopStyle(!alone), quiet } } : {}),
    ...checks,
  };
}

function describe(plan: KernelPlan, kernel: PreparedKernel, sharedBytes: number, name: string): CpuKernel {
  const { symbol, parameters, argumentBytes, maxThreads } = kernel;
  return {
    symbol: bare(symbol),
    name,
    parameters,
    argumentBytes,
    contextBytes: plan.contextBytes,
    contextFixed: 0,
    sharedBytes,
    maxThreads,
    barriers: plan.barriers.length,
    ...(plan.cooperative ? { cooperative: true } : {}),
  };
}

function reachIn({ parameters, written, copies }: Reach): CpuReach {
  return { parameters, ...(written ? { written: [...written] } : {}), copies };
}

/** A function with the checks of the checked mode in it; a kernel with what is known of its memory. */
interface Looked {
  readonly fn: IrFunction;
  readonly reach: Reach | undefined;
}

/** @param quiet - for a kernel: whether a function has no checked accesses */
type Look = (fn: IrFunction, kernel?: PreparedKernel, quiet?: (name: string) => boolean) => Looked;

function lookWith(
  { checks, unset, peers }: Checking,
  { lines, types }: IrModule,
  variables: Variables,
  sites: Sites,
  names: ObjectNames,
  debug: DebugInfo,
): Look {
  const sanitized = readSanitizerData(lines);
  return (fn, kernel, quiet) => {
    const parameters = parametersOf(fn, types);
    // An aggregate argument of a kernel is in the argument block, one of a function on the stack.
    const own = parameters.filter(
      ({ type, byval }, i) =>
        byval !== undefined || (type === 'ptr' && kernel?.parameters[i]?.ptx.startsWith('b8[') === true),
    );
    const pointers = kernel ? [...names.parametersOf(fn).keys()] : [];
    const how: Instrumentation = {
      checks,
      peers,
      names,
      parameters: new Map(pointers.map((i) => [parameters[i]?.name ?? '', i])),
      unset,
      variables,
      types,
      sites,
      sanitized,
      own: new Set(own.map(({ name }) => name)),
      place: placeOf(fn, kernel, debug),
    };
    // Each parameter has its place in the argument block; the ranges come after them.
    const isPlain = kernel?.parameters.length === parameters.length;
    const reach = isPlain && quiet ? memoryOf(fn, how, quiet) : undefined;
    return { fn: instrument(fn, { ...how, reach }), reach };
  };
}

/** The place of a function itself. */
function placeOf({ head, name }: IrFunction, kernel: PreparedKernel | undefined, debug: DebugInfo): CpuPlace {
  const known = debug.functionAt(Number(/!dbg !(\d+)/.exec(head)?.[1] ?? NaN));
  return known ?? { file: '', line: kernel?.line ?? 0, function: bare(name) };
}

/**
 * A function outside of kernels. LLVM has taken the indices for constants. Now they are read from memory, so the
 * attributes that say that the function reads no memory are removed.
 */
function editOutside(fn: IrFunction, tell: ReadonlySet<string>, groups: ReadonlyMap<string, string>): string[] {
  let head = fn.head.replace(/^define (?!internal)(?:hidden |dso_local )*/, 'define internal ');
  let { body } = fn;
  if (tell.has(fn.name)) {
    head = head.replace(
      GROUP_NAME,
      (_, group: string) => ` ${(groups.get(group) ?? '').replace(/\bmemory\([^)]*\)/g, '')}`,
    );
    body = body.map((line) => (line.includes('call ') ? withoutMemory(line).replace(ID_CALL, '@__rk_id_$1(') : line));
  }
  return [head, ...body, '}'];
}

/** Functions outside of kernels that have checked accesses, or call such a function or an unknown one. */
function loudFunctions(outside: readonly IrFunction[]): Set<string> {
  const known = new Set(outside.map(({ name }) => name));
  const unknown = outside.flatMap(({ calls }) =>
    [...calls].filter((name) => !known.has(name) && !/^llvm\.(?!trap|ubsantrap|debugtrap|mem)/.test(name)),
  );
  const own = outside.filter(({ indirect, body }) => indirect || body.some((line) => OWN_EFFECT.test(line)));
  return new Set(
    [...reaching(outside, new Set(unknown)), ...own.map(({ name }) => name)].flatMap((name) => [
      name,
      ...reaching(outside, new Set([name])),
    ]),
  );
}

const OWN_EFFECT = /@__rk_|\b(?:atomicrmw|cmpxchg|fence|volatile|unreachable)\b/;

/** Functions outside of kernels that use a thread's indices, and their callers. */
function tellers(module: IrModule, outside: readonly IrFunction[]): Set<string> {
  const ids = module.lines
    .map((line) => /^declare .*@(__rt_id_\w+)\(/.exec(line)?.[1])
    .filter((id) => id !== undefined);
  return reaching(outside, new Set(ids));
}

/** The functions that tell indices to code that is not inlined into a kernel. */
function spilledIds(): string[] {
  const ids = [...THREAD_IDS, ...BLOCK_IDS];
  return [
    `@${SPILLED_IDS} = internal thread_local(localexec) global [${ids.length} x i32] zeroinitializer`,
    `@${SPILLED_DYNAMIC} = internal thread_local(localexec) global ptr null`,
    ...ids.flatMap((id, i) => [
      `define internal i32 @__rk_id_${id}() alwaysinline nounwind {`,
      `  %a = getelementptr i32, ptr @${SPILLED_IDS}, i64 ${i}`,
      '  %v = load i32, ptr %a',
      '  ret i32 %v',
      '}',
    ]),
    'define internal ptr @__rk_id_dynamic() alwaysinline nounwind {',
    `  %v = load ptr, ptr @${SPILLED_DYNAMIC}`,
    '  ret ptr %v',
    '}',
  ];
}

/** Refuse barriers in functions that were not inlined: no region can end there. */
function refuseHiddenBarriers(
  module: IrModule,
  outside: readonly IrFunction[],
  kernels: ReadonlyMap<string, PreparedKernel>,
  debug: DebugInfo,
): void {
  const cut = reaching(outside, BARRIERS);
  if (cut.size === 0) return;
  const caller = module.functions.find(
    ({ name, calls }) => kernels.has(name) && [...calls].some((call) => cut.has(call)),
  );
  const holder = outside.find(({ calls }) => [...BARRIERS].some((name) => calls.has(name)));
  const line = holder?.body.find((one) => /@__rt_(?:warp_|grid_)?barrier\(/.test(one));
  const place = debug.placeOf(Number(/!dbg !(\d+)/.exec(line ?? '')?.[1] ?? NaN));
  const way = caller ? 'in a recursive function' : 'behind a function pointer or a virtual function';
  throw new KernelError(`a barrier ${way} cannot be run by the CPU device`, place?.line ?? 0, place);
}

function isDropped(line: string): boolean {
  return /^(?:@llvm\.(?:compiler\.)?used = |declare .*@__rt_(?:barrier|warp_barrier|grid_barrier|id_\w+)\()/.test(line);
}

function bare(symbol: string): string {
  return symbol.replace(/"/g, '');
}
