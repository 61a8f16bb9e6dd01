import { createHash } from 'node:crypto';
import { cpuDevicesVariable } from '../../core/environment.ts';
import { cacheKey, cacheRead, cacheWrite } from '../../core/cache.ts';
import { orderSeed } from '../abi/order.ts';
import { decodeProgram, encodeProgram, type CpuProgram } from '../abi/program.ts';
import { compileCuda } from '../compiler/client.ts';
import type { CompileAnswer, LinkObject } from '../compiler/request.ts';
import { PEERS } from '../compiler/toolchain.ts';
import { buildState } from '../files/build-state.ts';

/** A program in a link, under its name in messages. */
export interface LinkedInput {
  readonly name: string;
  readonly program: CpuProgram;
}

/** Linked code is for the device itself, as a cubin is. */
const ARCH = 'sm_90';

/** Link relocatable programs, or make code of one; known results come from the disk cache. */
export function linkPrograms(inputs: readonly LinkedInput[]): CompileAnswer {
  const wrong = refusalOf(inputs);
  if (wrong !== undefined) return { log: wrong };
  const [first] = inputs;
  const { checked = false, file = '' } = first?.program ?? {};
  const objects = inputs.map(({ name, program }) => {
    const { source, file, object = '' } = program;
    return { name, source, file, text: object };
  });
  const key = keyOf(objects, checked);
  const known = recall(key);
  if (known) return known;
  const answer = compileCuda({
    ...{ source: '', file, options: [`-arch=${ARCH}`], expressions: [], includes: [] },
    ...{ checked, objects },
  });
  if (!answer.program) return answer;
  const lowered = Object.assign({}, ...inputs.map(({ program }) => program.lowered)) as CpuProgram['lowered'];
  const program = { ...answer.program, lowered };
  cacheWrite(key, [Buffer.from(answer.log), encodeProgram(program)]);
  return { ...answer, program };
}

function refusalOf(inputs: readonly LinkedInput[]): string | undefined {
  const whole = inputs.find(({ program }) => program.object === undefined);
  if (whole) {
    return (
      `error: '${whole.name}' is a whole program, which is linked with no other: ` +
      'compile it with relocatable: true (-rdc=true)'
    );
  }
  const [first] = inputs;
  const other = inputs.find(({ program }) => program.checked !== first?.program.checked);
  if (!first || !other) return undefined;
  const say = ({ program, name }: LinkedInput): string => `'${name}' with ${program.checked || 'no'} checks`;
  return `error: ${say(first)} and ${say(other)} cannot be linked: compile both in the same mode`;
}

function keyOf(objects: readonly LinkObject[], checked: CpuProgram['checked']): string {
  return cacheKey({
    ...{ api: 'embedded link', version: `${PEERS}, ${buildState()}` },
    order: orderSeed() === undefined ? '' : 'shuffled',
    peers: cpuDevicesVariable() > 1 ? 'peers' : '',
    objects: objects.map((object) => createHash('sha256').update(JSON.stringify(object)).digest('hex')),
    checked: String(checked),
  });
}

function recall(key: string): CompileAnswer | undefined {
  const [log, image] = cacheRead(key) ?? [];
  const program = image && decodeProgram(image);
  return log && program && { program, log: log.toString() };
}
