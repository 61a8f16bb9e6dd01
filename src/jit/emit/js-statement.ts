import type { Declaration, FunctionTree, Loop, Statement, Switch, Variable } from '../tree.ts';
import { settled, type ArrayType, type KernelType, type ScalarType } from '../kernel-type.ts';
import { layoutOf } from '../struct-layout.ts';
import type { JsExpressions } from './js-expression.ts';
import { isPlain } from './js-array.ts';
import { jsLiteral } from './js-literal.ts';
import type { JsProgram } from './js-program.ts';

/** What statements are written with. */
export interface JsStatements {
  readonly program: JsProgram;
  readonly tree: FunctionTree;
  readonly expressions: JsExpressions;
}

/** The lines of a list of statements, each with a mark of its place. */
export function jsLines(context: JsStatements, statements: readonly Statement[], indent: string): string[] {
  return statements.flatMap((statement) => linesOf(context, statement, indent));
}

function linesOf(context: JsStatements, statement: Statement, indent: string): string[] {
  const { expressions, program, tree } = context;
  const start = `${indent}${program.mark(tree, statement)}`;
  switch (statement.kind) {
    case 'declaration':
      return [`${start}${declaration(context, statement)};`];
    case 'expression':
      return [`${start}${expressions.effect(statement.expression)};`];
    case 'block':
      return [`${indent}{`, ...jsLines(context, statement.body, `${indent}  `), `${indent}}`];
    case 'if': {
      const { test, then, otherwise } = statement;
      const head = [`${start}if (${expressions.text(test)}) {`, ...inner(context, then, indent)];
      return otherwise
        ? [...head, `${indent}} else {`, ...inner(context, otherwise, indent), `${indent}}`]
        : [...head, `${indent}}`];
    }
    case 'loop':
      return loop(context, statement, indent);
    case 'return':
      return [`${start}return${statement.value ? ` ${expressions.value(statement.value)}` : ''};`];
    case 'switch':
      return switchLines(context, statement, indent);
    case 'labelled':
      return [`${start}$${statement.label.text}: {`, ...inner(context, statement.body, indent), `${indent}}`];
    default: {
      const { label } = statement;
      return [`${start}${statement.kind}${label ? ` $${label.text}` : ''};`];
    }
  }
}

function switchLines(context: JsStatements, statement: Switch, indent: string): string[] {
  const { expressions, program, tree } = context;
  const type = settled(statement.value.type) as ScalarType;
  const lines = statement.cases.flatMap((one) => {
    const head = one.isDefault ? ['default:'] : one.value === undefined ? [] : [`case ${jsLiteral(one.value, type)}:`];
    return [...head.map((text) => `${indent}  ${text}`), ...jsLines(context, one.body, `${indent}    `)];
  });
  const start = `${indent}${program.mark(tree, statement)}`;
  return [`${start}switch (${expressions.text(statement.value)}) {`, ...lines, `${indent}}`];
}

/** The lines of a statement that stands in braces already. */
function inner(context: JsStatements, statement: Statement, indent: string): string[] {
  return jsLines(context, statement.kind === 'block' ? statement.body : [statement], `${indent}  `);
}

function declaration(context: JsStatements, statement: Declaration): string {
  const { variable, value } = statement;
  const name = context.expressions.name(variable);
  if (variable.type.kind === 'array')
    return `const ${name} = ${value ? context.expressions.text(value) : newArray(context.program, variable)}`;
  return `${variable.isAssigned || value === undefined ? 'let' : 'const'} ${name} = ${valueText(context, statement)}`;
}

function valueText({ expressions }: JsStatements, { variable, value }: Declaration): string {
  return value === undefined ? jsZero(settled(variable.type)) : expressions.value(value);
}

/** The value of a variable before it is given one. */
export function jsZero(type: KernelType): string {
  if (type.kind === 'scalar') return jsLiteral(0, type);
  if (type.kind === 'tuple') return `[${type.items.map(jsZero).join(', ')}]`;
  if (type.kind === 'struct')
    return `({ ${type.fields.map(([name, field]) => `${JSON.stringify(name)}: ${jsZero(field)}`).join(', ')} })`;
  return 'undefined';
}

/** An array of the block, or of the thread. */
export function newArray(program: JsProgram, variable: Variable): string {
  const type = variable.type as ArrayType;
  if (type.space === 'shared') return `$.shared(${program.sharedOf(variable)})`;
  const shape = variable.shape ?? [];
  if (typeof type.element !== 'string') return `$m.newRecords(${layoutOf(type.element).size}, [${shape.join(', ')}])`;
  return `$m.${isPlain(type) ? 'newFlat' : 'newArray'}('${type.element}', [${shape.join(', ')}])`;
}

function loop(
  context: JsStatements,
  { init, test, update, body, isPostTested, label, ...span }: Loop,
  indent: string,
): string[] {
  const { expressions, program, tree } = context;
  const named = label ? `$${label.text}: ` : '';
  const start = `${indent}${named}${program.mark(tree, span)}`;
  const testText = test ? `${program.mark(tree, test)}${expressions.text(test)}` : '';
  if (isPostTested) return [`${start}do {`, ...inner(context, body, indent), `${indent}} while (${testText});`];
  const updateText = update ? `${program.mark(tree, update)}${expressions.effect(update)}` : '';
  if (init.length === 0 && updateText === '' && test)
    return [`${start}while (${testText}) {`, ...inner(context, body, indent), `${indent}}`];
  const first = initText(context, init);
  const head = `for (${first ?? ''}; ${testText}; ${updateText}) {`;
  if (first !== undefined) return [`${start}${head}`, ...inner(context, body, indent), `${indent}}`];
  const deeper = `${indent}  `;
  return [
    `${indent}{`,
    ...jsLines(context, init, deeper),
    `${deeper}${named}${program.mark(tree, span)}${head}`,
    ...inner(context, body, deeper),
    `${deeper}}`,
    `${indent}}`,
  ];
}

/** What a loop begins with on its own line; undefined where that needs lines before. */
function initText(context: JsStatements, init: readonly Statement[]): string | undefined {
  const { expressions } = context;
  if (init.every((one) => one.kind === 'expression'))
    return init.map(({ expression }) => expressions.effect(expression)).join(', ');
  if (!init.every((one) => one.kind === 'declaration' && one.variable.type.kind !== 'array')) return undefined;
  const list = (init as readonly Declaration[]).map(
    (one) => `${expressions.name(one.variable)} = ${valueText(context, one)}`,
  );
  return `let ${list.join(', ')}`;
}
