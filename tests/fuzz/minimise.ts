import { refsOf, type Call, type Spec } from './spec.ts';

/** Whether calls, made in a fresh process, show the fault. */
export type Shows = (calls: readonly Call[]) => Promise<boolean>;

/** As few and as plain calls as show the fault; undefined where not even all of them do. */
export async function minimise(calls: readonly Call[], shows: Shows): Promise<readonly Call[] | undefined> {
  const number = calls.at(-1)?.sequence;
  const own = calls.filter(({ sequence }) => sequence === number);
  let best: readonly Call[] | undefined;
  for (const candidate of [slice(own), own, calls]) {
    if (!(await shows(candidate))) continue;
    best = candidate;
    break;
  }
  if (!best) return undefined;
  best = await fewer(best, shows);
  return plainer(best, shows);
}

/** The last call and those that it takes its objects from. */
function slice(calls: readonly Call[]): readonly Call[] {
  const last = calls.at(-1);
  const wanted = new Set(last ? [last.id] : []);
  for (const call of [...calls].reverse()) {
    if (!wanted.has(call.id)) continue;
    for (const ref of [call.on, ...call.args].flatMap(refsOf)) wanted.add(ref);
  }
  return calls.filter(({ id }) => wanted.has(id));
}

/** Leave out halves, quarters, eighths … as long as the rest shows it. */
async function fewer(calls: readonly Call[], shows: Shows): Promise<readonly Call[]> {
  let best = calls;
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.length && best.length > 1;) {
      const rest = [...best.slice(0, from), ...best.slice(from + size)];
      if (rest.length > 0 && (await shows(rest))) best = rest;
      else from += size;
    }
  }
  return best;
}

/** Take options and list entries away, and put undefined in the place of arguments. */
async function plainer(calls: readonly Call[], shows: Shows): Promise<readonly Call[]> {
  let best = calls;
  for (let index = 0; index < best.length; index++) {
    for (let position = (best[index]?.args.length ?? 0) - 1; position >= 0; position--) {
      for (let changed = true; changed;) {
        changed = false;
        const call = best[index];
        const arg = call?.args[position];
        if (!call || !arg) break;
        for (const plain of plainerThan(arg)) {
          const args = call.args.map((old, at) => (at === position ? plain : old));
          const candidate = best.map((old, at) => (at === index ? { ...call, args } : old));
          if (!(await shows(candidate))) continue;
          best = candidate;
          changed = true;
          break;
        }
      }
    }
  }
  return best;
}

function plainerThan(spec: Spec): Spec[] {
  if (spec.t === 'object') {
    return Object.keys(spec.props).map((key) => {
      const props = Object.fromEntries(Object.entries(spec.props).filter(([name]) => name !== key));
      return { ...spec, props };
    });
  }
  if (spec.t === 'list') return spec.of.map((_, at) => ({ t: 'list', of: spec.of.filter((_, other) => other !== at) }));
  if (spec.t === 'evil' || spec.t === 'proxy') return [spec.of];
  return [];
}
