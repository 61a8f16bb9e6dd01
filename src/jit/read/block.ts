import type * as Acorn from 'acorn';
import type { Span, Statement } from '../tree.ts';
import type { Body } from './body.ts';
import { spanOf } from './reading.ts';

/** Statements as one. */
export function blockOf(body: readonly Statement[], span: Span): Statement {
  return { kind: 'block', body, ...spanOf(span) };
}

/** A statement in a scope of its own. */
export function readNested(body: Body, node: Acorn.Statement): Statement {
  const statements = body.inScope(() => body.statement(node));
  const [only] = statements;
  return only !== undefined && statements.length === 1 ? only : blockOf(statements, node);
}
