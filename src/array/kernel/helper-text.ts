import { arrayDTypes, type ArrayDType } from '../dtype.ts';
import { atomicHelpers } from './atomic-helper.ts';
import { complexHelpers } from './complex-helper.ts';
import { complexHyperbolicHelpers } from './complex-hyperbolic-helper.ts';
import { complexInverseHelpers } from './complex-inverse-helper.ts';
import type { Dialect } from './dialect.ts';
import { floatHelpers, specialHelpers } from './float-helper.ts';
import type { Helper } from './helper-definition.ts';
import { halfHelpers } from './half-helper.ts';
import { integerHelpers } from './integer-helper.ts';

const helpers: Readonly<Record<string, Helper>> = {
  ...integerHelpers,
  ...floatHelpers,
  ...specialHelpers,
  ...halfHelpers,
  ...complexHelpers,
  ...complexHyperbolicHelpers,
  ...complexInverseHelpers,
  ...atomicHelpers,
};

const NAME = /\b[a-z]\w*(?=\()/g;

/** The functions that a kernel's text calls, and those that they call, in the order in which C wants them. */
export function helperText(body: string, dialect: Dialect): string {
  const done = new Set<string>();
  const texts: string[] = [];
  const add = (text: string): void => {
    for (const [name] of text.matchAll(NAME)) {
      if (done.has(name)) continue;
      done.add(name);
      const definition = definitionOf(name, dialect);
      if (definition === undefined) continue;
      add(definition);
      texts.push(definition);
    }
  };
  add(body);
  return texts.map((text) => `${text.trim()}\n`).join('\n');
}

function definitionOf(name: string, dialect: Dialect): string | undefined {
  const own = dialect.helpers[name];
  if (own !== undefined) return own;
  if (Object.hasOwn(helpers, name)) return helpers[name]?.('f32');
  const split = name.lastIndexOf('_');
  const [base, dtype] = [name.slice(0, split), name.slice(split + 1)];
  if (!Object.hasOwn(helpers, base) || !Object.hasOwn(arrayDTypes, dtype)) return undefined;
  return helpers[base]?.(dtype as ArrayDType);
}
