import { resultType } from '../ir/instruction.ts';
import type { KernelPlan } from './plan.ts';
import { blocksOf, startOf } from './region-graph.ts';

/** A value that is the same for all threads of a block, and that its region has or leaves in the context. */
interface Common {
  readonly value: string;
  readonly type: string;
  /** To be multiplied by the count of threads: the place of the only copy. */
  readonly offset: number;
}

/** The common values that a region starts with. */
export function commonBefore(plan: KernelPlan, region: number): Common[] {
  return region === 0 ? [] : commonOf(plan, plan.flows.get(startOf(plan, region))?.live ?? []);
}

/** The common values that a region leaves for the next ones. */
export function commonAfter(plan: KernelPlan, region: number): Common[] {
  const live = new Set<string>();
  for (const { barrier } of blocksOf(plan, region)) {
    if (barrier === undefined) continue;
    for (const value of plan.flows.get(plan.barriers[barrier - 1]?.next ?? '')?.live ?? []) live.add(value);
  }
  return commonOf(plan, live);
}

function commonOf(plan: KernelPlan, live: Iterable<string>): Common[] {
  return [...live].flatMap((value) => {
    const definition = plan.common.has(value) ? plan.definitions.get(value) : undefined;
    const slot = plan.slots.get(value);
    return definition && slot ? [{ value, type: resultType(definition), offset: slot.offset }] : [];
  });
}

/** The name under which a region gets a common value, and of the place where it leaves one. */
export const commonName = (value: string): string => `%rt.common.${value.slice(1)}`;
export const commonPlace = (value: string): string => `%rt.left.${value.slice(1)}`;

/** The common values that a region starts with, as parameters. */
export function commonValues(plan: KernelPlan, region: number): string[] {
  return commonBefore(plan, region).map(({ value, type }) => `${type} ${commonName(value)}`);
}

/** The parameters of a region's code for common values, as declared and as passed. */
export function commonParameters(plan: KernelPlan, region: number): string[] {
  return [...commonValues(plan, region), ...commonAfter(plan, region).map(({ value }) => `ptr ${commonPlace(value)}`)];
}

/** The start of a region's loop: it reads the common values once, before any thread could write the next ones. */
export function readCommon(plan: KernelPlan, region: number): string[] {
  const before = commonBefore(plan, region);
  const known = new Set(before.map(({ value }) => value));
  return [
    ...before.flatMap((one) => {
      const name = commonName(one.value);
      const address = addressOf(one, name);
      if (one.type !== 'i1') return [...address, `  ${name} = load ${one.type}, ptr ${name}.at`];
      return [...address, `  ${name}.byte = load i8, ptr ${name}.at`, `  ${name} = trunc i8 ${name}.byte to i1`];
    }),
    ...commonAfter(plan, region).flatMap(({ value, type }) => [
      `  ${commonPlace(value)} = alloca ${type}`,
      ...(known.has(value) ? [`  store ${type} ${commonName(value)}, ptr ${commonPlace(value)}`] : []),
    ]),
  ];
}

/** The end of a region's loop: it writes the common values of the last thread. */
export function writeCommon(plan: KernelPlan, region: number): string[] {
  return commonAfter(plan, region).flatMap((one) => {
    const name = commonPlace(one.value);
    const value = [...addressOf(one, name), `  ${name}.last = load ${one.type}, ptr ${name}`];
    if (one.type !== 'i1') return [...value, `  store ${one.type} ${name}.last, ptr ${name}.at`];
    return [...value, `  ${name}.byte = zext i1 ${name}.last to i8`, `  store i8 ${name}.byte, ptr ${name}.at`];
  });
}

function addressOf({ offset }: Common, name: string): string[] {
  return [`  ${name}.start = mul i64 %n, ${offset}`, `  ${name}.at = getelementptr i8, ptr %ctx, i64 ${name}.start`];
}
