import { cutAtBarriers, withStrides, type CutBlock } from './cut.ts';
import { accessOf, calleeOf, resultType, type Instruction } from '../ir/instruction.ts';
import { readBody, type Block } from '../ir/body.ts';
import { withSelections } from './conditional-stores.ts';
import { IrError, splitList } from '../ir/text.ts';
import { hasDynamicArray, withPauses } from './pauses.ts';
import { layoutOf, roundUp, type TypeNames } from '../ir/value-type.ts';
import { parametersOf, type IrFunction } from '../ir/module.ts';
import { flowOf, type Flow } from './liveness.ts';
import { staysUniform, type ControlFlow } from './region-graph.ts';
import { divergentValues } from './uniformity.ts';

/** A value that outlives a barrier, in the context: an array over the threads of a block. */
export interface Slot {
  readonly type: string;
  /** To be multiplied by the count of threads. */
  readonly offset: number;
  /** From a thread to the next. */
  readonly size: number;
  /** Where the value is in what its thread has there. */
  readonly within?: number;
}

/** How a kernel is cut into regions, and where its values are kept between them. */
export interface KernelPlan extends ControlFlow {
  readonly symbol: string;
  readonly parameters: readonly { readonly type: string; readonly name: string }[];
  readonly flows: ReadonlyMap<string, Flow>;
  /** Instructions that each region repeats at its start, so that their values need not be kept. */
  readonly repeated: readonly Instruction[];
  readonly slots: ReadonlyMap<string, Slot>;
  /** Values with a slot that are the same for all threads of a block; the first element is for all. */
  readonly common: ReadonlySet<string>;
  /** Whether values of a thread are side by side in its slots. */
  readonly isPacked: boolean;
  /** Private arrays in the context. */
  readonly privates: ReadonlyMap<string, Slot>;
  /** Where the threads' states and masks are, like a slot's offset. */
  readonly stateOffset: number;
  readonly contextBytes: number;
  /** Whether the threads of a block always take the same path, so that their states need not be stored. */
  readonly uniform: boolean;
  readonly types: TypeNames;
  /** Its barriers only make threads go through memory side by side; no access is ordered by them. */
  readonly strided: boolean;
  /** Whether its code queries whether the launch is cooperative. */
  readonly cooperative: boolean;
  /** Definitions by value. */
  readonly definitions: ReadonlyMap<string, Instruction>;
}

const ID_PREFIX = '__rt_id_';
const REPEATABLE = new Set(
  'add sub mul shl lshr ashr and or xor sext zext trunc getelementptr icmp select sitofp uitofp fmul fadd fsub fpext fptrunc'.split(
    ' ',
  ),
);

/** The name of the index that an instruction asks for: `tx`. */
export function idOf(instruction: Instruction): string | undefined {
  const callee = calleeOf(instruction);
  return callee?.startsWith(ID_PREFIX) ? callee.slice(ID_PREFIX.length) : undefined;
}

/** In OpenCL the size of a range and its number of groups are parameters. */
const GRID_SIZE = /^%rk\.[sn][xyz]$/;

/** How a kernel's code will run. */
export interface PlanOptions {
  /** Threads stop between a read and the code after it. */
  readonly shuffled?: boolean;
  /** Strips read the slots of each thread, one value after the other. */
  readonly checked?: boolean;
  /** Symbols of shared variables. */
  readonly shared?: ReadonlyMap<string, number>;
}

/** Plan a kernel's regions. */
export function planKernel(
  fn: IrFunction,
  types: TypeNames,
  { shuffled = false, checked = false, shared = new Map() }: PlanOptions = {},
): KernelPlan {
  const parameters = parametersOf(fn, types);
  const written = readBody(fn, parameters, types);
  const source = { definitions: definitionsOf(written.blocks) };
  const isOfBlock = (pointer: string): boolean => isShared(source, pointer, shared);
  const body = shuffled || checked ? written : withSelections(written, isOfBlock);
  const hasBarriers = body.blocks.some(({ instructions }) => instructions.some((one) => isBarrier(one)));
  const sizes = new Set(body.parameters.filter((_, i) => GRID_SIZE.test(parameters[i]?.name ?? '')));
  const pauses = shuffled && (hasBarriers || !hasDynamicArray(body));
  const strided = hasBarriers || shuffled ? body : withStrides(body, sizes);
  const cut = cutAtBarriers(pauses ? withPauses(body) : strided);
  const allocas = new Map<string, Instruction>();
  for (const { instructions } of cut.blocks) {
    for (const one of instructions) if (one.op === 'alloca' && one.result !== undefined) allocas.set(one.result, one);
  }
  // Its address, or one made from it, may outlive a barrier.
  const arrays = cut.barriers.length > 0 ? allocas : new Map<string, Instruction>();
  const free = new Set([...body.parameters, ...arrays.keys()]);
  const { blocks, repeated } = splitRepeated(cut.blocks, free);
  const definitions = definitionsOf([{ instructions: repeated }, ...cut.blocks]);
  const flows = flowOf(blocks, (value) => definitions.has(value) && !free.has(value));
  let offset = 0;
  const place = (type: string, unit: number): Slot => {
    const { size, align } = layoutOf(type, types);
    // Rows of 16 bytes keep every array aligned; the context itself is, and its count of threads is a multiple of 16.
    const slot = { type, offset: roundUp(offset, Math.max(align, unit)), size: roundUp(size, unit) };
    offset = slot.offset + slot.size;
    return slot;
  };
  const divergent = divergentValues(cut.blocks);
  const uniform = staysUniform({ blocks, barriers: cut.barriers, divergent });
  const isCommon = (value: string): boolean => uniform && !shuffled && !divergent.has(value);
  const kept = new Map<string, string>();
  for (const { next } of cut.barriers) {
    for (const value of flows.get(next)?.live ?? []) {
      const definition = definitions.get(value);
      if (definition) kept.set(value, resultType(definition));
    }
  }
  const packed = checked ? [] : packsOf([...kept].filter(([value]) => !isCommon(value)));
  const slots = new Map(packed.flatMap((pack) => placePack(pack, place)));
  for (const [value, type] of kept) if (!slots.has(value)) slots.set(value, place(type, 1));
  const privates = new Map([...arrays].map(([value, one]) => [value, placePrivate(one, place)]));
  const stateOffset = roundUp(offset, 16);
  return {
    symbol: fn.name,
    parameters: parameters.map(({ type }, i) => ({ type, name: body.parameters[i] ?? '' })),
    blocks,
    barriers: cut.barriers,
    flows,
    repeated,
    slots,
    common: new Set([...slots.keys()].filter(isCommon)),
    privates,
    isPacked: packed.length > 0,
    stateOffset,
    contextBytes: uniform ? stateOffset : stateOffset + 8,
    divergent,
    uniform,
    types,
    strided: strided !== body,
    cooperative: fn.body.some((line) => line.includes('@__rt_cooperative')),
    definitions,
  };
}

/** Definitions by value. */
type Defined = Pick<KernelPlan, 'definitions'>;

/** The variable or private array that an address points into, if the code tells it. */
export function rootOf(plan: Defined, pointer: string): string | undefined {
  for (let at = pointer, left = 64; left > 0; left--) {
    if (at.startsWith('@')) return at;
    const definition = plan.definitions.get(at);
    if (!definition || definition.op === 'alloca' || idOf(definition) === 'dynamic') return at;
    const base = /^getelementptr .*?, ptr (%v\d+|@"[^"]+"|@[-\w.$]+)/.exec(definition.text)?.[1];
    if (base === undefined) return undefined;
    at = base;
  }
  return undefined;
}

/** Whether an address points to a shared variable or to dynamic shared memory, if the code tells it. */
export function isShared(plan: Defined, pointer: string, shared: ReadonlyMap<string, number>): boolean {
  const root = rootOf(plan, pointer);
  if (root === undefined) return false;
  const definition = plan.definitions.get(root);
  return shared.has(root.slice(1)) || (definition !== undefined && idOf(definition) === 'dynamic');
}

/** Whether an instruction writes memory that other threads can read. */
export function writesMemory(plan: KernelPlan, one: Instruction): boolean {
  const access = accessOf(one);
  const transfer = /^llvm\.mem(?:cpy|move|set)\./.test(calleeOf(one) ?? '');
  if (access ? access.kind === 'read' : !transfer) return false;
  return !isOwn(plan, access?.pointer ?? one.uses[0] ?? '');
}

/**
 * Whether an address points to a private array, also through a check of its bounds, or to a variable of the library.
 */
function isOwn(plan: KernelPlan, pointer: string): boolean {
  const looked = /@__rk_inside\(ptr \S+, ptr (%v\d+|@[^,]+),/.exec(plan.definitions.get(pointer)?.text ?? '')?.[1];
  const root = rootOf(plan, looked ?? pointer);
  if (root === undefined) return false;
  return root.startsWith('@') ? root.startsWith('@__rt_') : plan.definitions.get(root)?.op === 'alloca';
}

function definitionsOf(blocks: readonly Pick<Block, 'instructions'>[]): ReadonlyMap<string, Instruction> {
  const definitions = new Map<string, Instruction>();
  for (const { instructions } of blocks) {
    for (const one of instructions) if (one.result !== undefined) definitions.set(one.result, one);
  }
  return definitions;
}

function isBarrier(one: Instruction): boolean {
  return /@__rt_(?:warp_|grid_)?barrier\(/.test(one.text);
}

/** Separate the instructions that depend only on parameters, indices and addresses of private arrays. */
function splitRepeated(
  blocks: readonly CutBlock[],
  free: Set<string>,
): { blocks: readonly CutBlock[]; repeated: readonly Instruction[] } {
  const repeated: Instruction[] = [];
  let rest = blocks;
  for (let found = true; found;) {
    found = false;
    rest = rest.map((block) => {
      const instructions = block.instructions.filter((one) => {
        if (one.result === undefined || free.has(one.result)) return true;
        const pure = REPEATABLE.has(one.op) && one.uses.every((use) => free.has(use));
        if (!pure && idOf(one) === undefined) return true;
        repeated.push(one);
        free.add(one.result);
        found = true;
        return false;
      });
      return { ...block, instructions };
    });
  }
  return { blocks: rest, repeated };
}

/** From so many values of one type on, a thread's are side by side. */
const PACK = 8;

/**
 * Values that were elements of one private array, as in a product of matrices with several elements a thread. Side by
 * side they fill vectors of the same thread, where its neighbours' elements would be far apart in what the thread reads.
 */
function packsOf(kept: readonly (readonly [value: string, type: string])[]): (readonly [string, string])[][] {
  const packs = ['float', 'double', 'i32'].map((wanted) => kept.filter(([, type]) => type === wanted));
  return packs.filter(({ length }) => length >= PACK);
}

function placePack(
  pack: readonly (readonly [value: string, type: string])[],
  place: (type: string, unit: number) => Slot,
): [string, Slot][] {
  const width = pack[0]?.[1] === 'double' ? 8 : 4;
  const { offset, size } = place(`[${pack.length * width} x i8]`, 16);
  return pack.map(([value, type], i) => [value, { type, offset, size, within: i * width }]);
}

function placePrivate({ text, debug }: Instruction, place: (type: string, unit: number) => Slot): Slot {
  const [type = '', ...more] = splitList(text.slice('alloca'.length));
  if (!more.every((part) => /^(?:align \d+|!.*)$/.test(part))) {
    throw new IrError('an array of variable size in a kernel with barriers', debug);
  }
  return place(type, 16);
}
