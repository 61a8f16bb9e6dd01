import type * as Acorn from 'acorn';
import { nameOf } from '../../core/check.ts';
import { requireModule } from '../../core/require-module.ts';
import { JitError } from '../error.ts';
import { locatorOf, type CallPlace } from '../place.ts';
import type { Origin } from '../tree.ts';
import { isNode, withoutCounters } from './counter.ts';

/** A function as it is written, and its syntax tree. Positions are those of `origin.text`. */
export interface FunctionText {
  readonly name: string;
  readonly origin: Origin;
  readonly parameters: readonly Acorn.Pattern[];
  readonly body: Acorn.BlockStatement | Acorn.Expression;
}

let acorn: typeof Acorn | undefined;

const NATIVE = /\{\s*\[native code\]\s*\}\s*$/;
const CLASS = /^class\b/;
/** What a method's text begins with, where the word `function` is left out. */
const METHOD = /^(?:async\s+)?(?:\*\s*)?(?:get\s+|set\s+)?(?:[\w$]+|\[[^\]]*\]|'[^']*'|"[^"]*")\s*\(/;

/**
 * Read a function's own text.
 *
 * @param what - the function in errors: `jit`
 * @throws TypeError what is not a function, or has no text
 * @throws {@link JitError} asynchronous functions and generators
 */
export function readFunction(fn: unknown, what: string, call?: CallPlace): FunctionText {
  if (typeof fn !== 'function') throw new TypeError(`${what} must be given a function, got ${nameOf(fn)}`);
  const text = Function.prototype.toString.call(fn);
  if (NATIVE.test(text)) {
    throw new TypeError(
      `${what} must be given a function that is written in the program, got ${fn.name === '' ? 'one' : fn.name} without a text: bound and built-in functions have none; write (a, b) => { … }`,
    );
  }
  if (CLASS.test(text)) throw new TypeError(`${what} must be given a function, got the class ${fn.name}`);
  const origin: Origin = { text, locate: locatorOf(call, text) };
  const node = parse(text, origin);
  const whole = { start: 0, end: text.split('\n', 1)[0]?.length ?? 1 };
  if (node.async) throw new JitError('a kernel cannot be async: take the word away', origin, whole);
  if (node.generator) throw new JitError('a kernel cannot be a generator: take the * away', origin, whole);
  const name = /^[A-Za-z_]\w*$/.test(fn.name) ? fn.name : 'jit_kernel';
  return { name, origin, parameters: node.params, body: node.body };
}

/** A function of a text that the package itself has made. */
export function readText(name: string, text: string): FunctionText {
  const origin: Origin = { text };
  const node = parse(text, origin);
  return { name, origin, parameters: node.params, body: node.body };
}

type FunctionNode = Acorn.FunctionExpression | Acorn.ArrowFunctionExpression;

function parse(text: string, origin: Origin): FunctionNode {
  acorn ??= requireModule(import.meta.url, 'acorn') as typeof Acorn;
  // A method needs the object around it; blanks in place of what is added keep the positions of the text.
  const isMethod = METHOD.test(text) && !/^(?:async\s+)?function\b|^async\s*\(/.test(text);
  const [before, after] = isMethod ? ['({', '})'] : ['(', ')'];
  try {
    const shift = before.length;
    const node = acorn.parseExpressionAt(before + text + after, 0, { ecmaVersion: 2025 });
    move(node, shift);
    withoutCounters(node);
    if (node.type === 'ObjectExpression') {
      const [property] = node.properties;
      if (property?.type === 'Property') return property.value as FunctionNode;
    }
    return node as FunctionNode;
  } catch (error) {
    const { message, pos } = error as Error & { pos?: number };
    if (pos === undefined) throw error;
    const start = Math.max(0, pos - before.length);
    throw new JitError(`the function cannot be read: ${message.replace(/ \(\d+:\d+\)$/, '')}`, origin, {
      start,
      end: start + 1,
    });
  }
}

/** Take what stands before the text off all positions. */
function move(node: Acorn.Node, shift: number): void {
  node.start -= shift;
  node.end -= shift;
  for (const value of Object.values(node) as unknown[]) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(child)) move(child, shift);
    }
  }
}
