import { readLimits, withCompileScope, type CompileScope } from '../../core/compile-scope.ts';
import { cl, cleanup } from '../call.ts';
import { checkedLogs, withoutLog } from './build-log.ts';
import { linkHere, linkOnThread, type Linked } from './compile.ts';
import { Interruptible } from './interruptible.ts';
import type { LinkPlan, LinkSettings } from './link-plan.ts';
import { makingOf } from './making.ts';
import type { ProgramBase } from './program-base.ts';

/** Make a program of the driver's link. */
export type Adopt<P extends ProgramBase> = (raw: NonNullable<Linked['raw']>) => P;

/** Link now. */
export function linkNow<P extends ProgramBase>(
  plan: LinkPlan,
  settings: LinkSettings,
  what: string,
  adopt: Adopt<P>,
): P {
  const scope = readLimits(settings, what, true);
  return finish(plan, linkWith(plan, scope), adopt);
}

/** Link on a thread of the runtime. The inputs stay referenced until the driver has finished. */
export async function linkLater<P extends ProgramBase>(
  plan: LinkPlan,
  scope: CompileScope,
  adopt: Adopt<P>,
): Promise<P> {
  const { context, devices, ids, options, inputs, owners, declarations } = plan;
  for (const owner of owners) owner.retain();
  const release = (): void => {
    for (const owner of owners) owner.release();
  };
  let made: Linked | undefined;
  const close = (): void => {
    const raw = made?.raw;
    if (raw !== undefined) cleanup('Program', () => cl.clReleaseProgram(raw));
  };
  const driver = new Interruptible({ devices, source: declarations, options, close }, scope, 'clLinkProgram');
  try {
    await driver.run(async () => {
      try {
        made = await linkOnThread(context.use('link'), ids, options, inputs);
      } finally {
        release();
      }
    });
  } catch (error) {
    driver.close();
    throw error;
  }
  return finish(plan, made as unknown as Linked, adopt);
}

function linkWith({ context, ids, options, inputs }: LinkPlan, scope: CompileScope): Linked {
  return withCompileScope(scope, () => linkHere(context.use('linkProgram'), ids, options, inputs));
}

function finish<P extends ProgramBase>(plan: LinkPlan, { raw, status }: Linked, adopt: Adopt<P>): P {
  if (raw === undefined) throw withoutLog('clLinkProgram', status, plan.options);
  const program = adopt(raw);
  const making = makingOf(program);
  making.declarations = plan.declarations;
  making.options = plan.options;
  try {
    making.logs = checkedLogs('clLinkProgram', raw, status, program);
  } catch (error) {
    program.close();
    throw error;
  }
  making.stage = /(?:^|\s)-create-library(?:\s|$)/.test(plan.options) ? 'object' : 'executable';
  return program;
}
