import type * as Acorn from 'acorn';
import { isGrid } from '../operation/grid-group.ts';
import { isNatural } from '../operation/math.ts';
import type { Declaration, Expression, Span, Statement, Variable } from '../tree.ts';
import { VOID } from '../kernel-type.ts';
import { widen } from './assignment.ts';
import type { Body } from './body.ts';
import { convert } from './convert.ts';
import { declareList } from './list.ts';
import { spanOf } from './reading.ts';

/** Declare a name with a value that was read. */
export function declareWith(
  body: Body,
  id: Acorn.Identifier,
  value: Expression | undefined,
  isHoisted: boolean,
): readonly Statement[] {
  const variable = body.declare(id.name, id, isHoisted);
  if (value === undefined) return isHoisted ? [] : [declarationOf(variable, undefined, id)];
  if (isGrid(value)) {
    variable.alias = value;
    variable.type = VOID;
    return [];
  }
  if (value.type.kind === 'void') return body.fail(value, `${id.name} must be given a value: this gives none`);
  if (value.type.kind === 'array') {
    variable.alias = value;
    variable.type = value.type;
    if (variable.isAssigned)
      return body.fail(id, `${id.name} is an array, and must keep what it is made with: write const`);
    return [declarationOf(variable, value, id)];
  }
  variable.isList = value.type.kind === 'tuple';
  if (variable.isIndexed === true && variable.isList) return declareList(body, variable, value, id);
  widen(body, variable, value);
  const converted = convert(value, variable.type, body.fail);
  variable.isNatural = isNatural(value);
  if (!isHoisted) return [declarationOf(variable, converted, id)];
  variable.isAssigned = true;
  const target = { kind: 'variable', variable, type: variable.type, ...spanOf(id) } as const;
  const expression = { kind: 'assignment', target, value: converted, type: variable.type, ...spanOf(id) } as const;
  return [{ kind: 'expression', expression, ...spanOf(id) }];
}

/** What declares a variable. */
export function declarationOf(variable: Variable, value: Expression | undefined, span: Span): Declaration {
  return { kind: 'declaration', variable, value, ...spanOf(span) };
}
