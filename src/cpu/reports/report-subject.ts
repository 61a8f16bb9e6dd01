import { hostPlace, type HostTrace } from '../../core/host-place.ts';
import type { CpuObject, CpuParameter, CpuShape } from '../abi/program.ts';
import { FaultKind, hasAddress } from '../runtime/fault.ts';
import type { EngineFinding } from '../runtime/finding.ts';
import type { DeviceMemory } from '../runtime/memory.ts';
import { elementAt, pathAt } from '../abi/shape.ts';

/** The subject of a finding, in the source's words. */
export interface Subject {
  /** `cache[1]` */
  readonly variable?: string | undefined;
  /** `cache` */
  readonly name?: string | undefined;
  /** Its size and its origin, one line each. */
  readonly facts: readonly string[];
  /** The number of elements, and the index of the accessed one. */
  readonly count?: number | undefined;
  readonly index?: number | undefined;
  readonly shape?: CpuShape | undefined;
  readonly allocatedAt?: string | undefined;
  /** The argument is a null pointer. */
  readonly isNull?: boolean | undefined;
}

const NOTHING: Subject = { facts: [] };
/** Farther from an allocation than this, an address has nothing to do with it. */
const NEAR = 1 << 20;
const HIGHEST = 0xffff_ffffn;

/** Find the variable that a finding is about. */
export function subjectOf(finding: EngineFinding, memory: DeviceMemory): Subject {
  const { kind, place, address } = finding;
  const own = place?.object;
  if (kind === FaultKind.INDEX) return indexed(own, BigInt.asIntN(64, address));
  if (kind === FaultKind.UNSET) return { variable: own?.name || undefined, name: own?.name || undefined, facts: [] };
  if (!hasAddress(kind)) return NOTHING;
  const object = own ?? finding.program?.objects?.[finding.object];
  if (object?.parameter !== undefined) return ofParameter(finding, object.parameter, memory);
  if (object) return ofObject(finding, object);
  return byAddress(finding, memory);
}

function indexed(object: CpuObject | undefined, index: bigint): Subject {
  const { variable, name = '' } = object ?? {};
  if (variable === undefined) return NOTHING;
  const count = Number(/\[(\d+)\]/.exec(name)?.[1] ?? NaN);
  const named = { variable: variable.replace('#', String(index)), name: /^\w+/.exec(variable)?.[0], facts: [] };
  return Number.isNaN(count) ? named : { ...named, count, index: Number(index) };
}

/** A variable with an address of its own. */
function ofObject(
  { address, base, program, place }: EngineFinding,
  { name, bytes, shape: number }: CpuObject,
): Subject {
  const shape = program?.shapes?.[number ?? -1];
  const fact = bytes > 0 ? [`${name} ${sizeOf(shape, bytes)}`] : [];
  if (base === 0) return { name, variable: name, facts: fact, shape };
  const offset = Number(address) - base;
  if (shape) {
    const element = shape.element?.bytes ?? shape.bytes;
    const counted = shape.element ? { count: bytes / element, index: Math.floor(offset / element) } : {};
    return { name, variable: `${name}${pathAt(shape, offset)}`, facts: fact, shape, ...counted };
  }
  // Only the access tells the element type of dynamic shared memory.
  const size = place?.size ?? 0;
  const variable = size > 0 && offset % size === 0 ? `${name}[${offset / size}]` : name;
  return { name, variable, facts: fact, index: size > 0 ? Math.floor(offset / size) : undefined };
}

function sizeOf(shape: CpuShape | undefined, bytes: number): string {
  if (!shape?.element) return `has ${bytes} bytes`;
  if (shape.element.element) return `is a ${shape.type} of ${bytes} bytes`;
  return `has ${plural(bytes / shape.element.bytes, 'element')}`;
}

/** The memory that an address among a kernel's arguments points to. */
function ofParameter(finding: EngineFinding, index: number, memory: DeviceMemory): Subject {
  const { program, address, base, launch } = finding;
  const kernel = program?.kernels.find(({ symbol }) => symbol === finding.kernel);
  const parameter = kernel?.parameters[index];
  const name = parameter?.name;
  if (!kernel || !parameter || name === undefined) return NOTHING;
  const value = launch && valueOf(parameter, launch.args);
  if (value === undefined) return { name, variable: name, facts: [] };
  const shape = program?.shapes?.[parameter.shape ?? -1];
  if (kernel.opencl?.arguments[index]?.kind === 'local') {
    // The argument is an offset, and the start of the next argument is unknown.
    if (base === 0) return { name, variable: name, facts: [], shape };
    const offset = Number(address) - base - Number(value);
    return { name, variable: `${name}${shape ? elementAt(shape, offset) : ''}`, facts: [], shape };
  }
  return pointedTo(finding, { name, value, shape }, memory);
}

interface Pointer {
  readonly name: string;
  readonly value: bigint;
  readonly shape: CpuShape | undefined;
}

function pointedTo({ address, kind }: EngineFinding, { name, value, shape }: Pointer, memory: DeviceMemory): Subject {
  const offset = Number(BigInt.asIntN(64, address - value));
  const variable = `${name}${shape ? elementAt(shape, offset) : ''}`;
  if (value === 0n) return { name, variable, facts: [`${name} is null`], shape, isNull: true };
  const near = value > HIGHEST ? undefined : memory.near(Number(value));
  if (!near) return { name, variable, facts: [], shape };
  const { allocation, freed, allocatedAt, freedAt } = near;
  const bytes = allocation.address + allocation.byteLength - Number(value);
  if (bytes < 0) return { name, variable, facts: [], shape };
  const size = shape?.bytes ?? 0;
  const count = size > 0 ? Math.floor(bytes / size) : undefined;
  const has = `${name} ${freed ? 'had' : 'has'} ${count === undefined ? `${bytes} bytes` : plural(count, 'element')}`;
  const facts = [
    `${has}${happened('allocated', allocatedAt)}${freed ? happened('freed', freedAt, ', and was freed') : ''}`,
  ];
  const lost = kind === FaultKind.USE_AFTER_FREE && !freed ? ['the memory was freed'] : [];
  const counted = count === undefined ? {} : { count, index: Math.floor(offset / size) };
  return { name, variable, facts: [...facts, ...lost], shape, allocatedAt: hostPlace(allocatedAt), ...counted };
}

function happened(what: string, trace: HostTrace | undefined, otherwise = ''): string {
  const where = hostPlace(trace);
  return where === undefined ? otherwise : `, ${what} at ${where}`;
}

/** The code does not tell the subject: find an argument of the kernel in the same allocation. */
function byAddress(finding: EngineFinding, memory: DeviceMemory): Subject {
  const { address, program, launch, kind } = finding;
  if (kind === FaultKind.NULL || address > HIGHEST) return NOTHING;
  const near = memory.near(Number(address));
  if (!near) return NOTHING;
  const { allocation } = near;
  const start = BigInt(allocation.address);
  const end = start + BigInt(allocation.byteLength);
  if (address > end + BigInt(NEAR)) return NOTHING;
  const kernel = program?.kernels.find(({ symbol }) => symbol === finding.kernel);
  const given = (launch ? (kernel?.parameters ?? []) : []).flatMap((parameter) => {
    const value = launch && valueOf(parameter, launch.args);
    const { name, shape } = parameter;
    if (name === undefined || value === undefined || value < start || value > end) return [];
    return [{ name, value, shape: program?.shapes?.[shape ?? -1] }];
  });
  const [only, ...others] = given;
  if (only && others.length === 0) return pointedTo(finding, only, memory);
  return { facts: [describeAllocation(finding, near)], allocatedAt: hostPlace(near.allocatedAt) };
}

/** The position of an address relative to live or freed memory. */
function describeAllocation(
  { address, kind }: EngineFinding,
  { allocation, freed, allocatedAt, freedAt }: NonNullable<ReturnType<DeviceMemory['near']>>,
): string {
  const whole = `${allocation.byteLength} bytes at 0x${allocation.address.toString(16)}`;
  const past = Number(address) - (allocation.address + allocation.byteLength);
  const inside = `${Number(address) - allocation.address} bytes into the ${whole}`;
  const came = happened('allocated', allocatedAt);
  if (kind === FaultKind.USE_AFTER_FREE) {
    return freed ? `${inside}${came}${happened('freed', freedAt, ', which were freed')}` : 'the memory was freed';
  }
  return `${past < 0 ? inside : `${past} bytes behind the end of the ${whole}`}${came}`;
}

/** A pointer among packed arguments; undefined for other arguments. */
function valueOf({ offset, size, name }: CpuParameter, args: Uint8Array): bigint | undefined {
  if (name === undefined || size !== 8 || offset + 8 > args.length) return undefined;
  return new DataView(args.buffer, args.byteOffset, args.byteLength).getBigUint64(offset, true);
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
