import type { Form } from './forms.ts';
import { PtxError } from './ptx-error.ts';
import type { PtxOperand } from './statements.ts';
import { typeOf } from './ptx-type.ts';
import type { Writer } from './writer.ts';

/** Translate an instruction to a call of its function in the library. */
export function writeForm(writer: Writer, opcode: string, form: Form, operands: readonly PtxOperand[]): void {
  const results = form.results[0] === 'void' ? [] : form.results;
  const wanted = (results.length > 0 ? 1 : 0) + form.operands.length;
  if (operands.length !== wanted) {
    throw new PtxError(`'${opcode}' must have ${wanted} operands, got ${operands.length}`);
  }
  const [first, ...others] = results.length > 0 ? operands : [undefined, ...operands];
  const second = results[1] === undefined ? undefined : writer.variable('i8');
  const args = form.operands.map((name, i) => argument(writer, name, others[i] as PtxOperand, form));
  if (form.carries) args.unshift(`ptr ${writer.carries(/^(?:addc|subc|madc)\./.test(opcode))}`);
  if (second !== undefined) args.unshift(`ptr ${second}`);
  const result = results[0] === undefined ? undefined : typeOf(results[0]);
  let value = writer.call(form.helper, result?.ir ?? 'void', args);
  if (!result || !first) return;
  if (form.saturates) value = writer.call(`__ptx_sat_${form.type}`, result.ir, [`${result.ir} ${value}`]);
  if (form.flushes && results[0] === form.type) {
    value = writer.call(`__ptx_ftz_${form.type}`, result.ir, [`${result.ir} ${value}`]);
  }
  if (first.kind === 'pair') {
    if (second === undefined) throw new PtxError(`'${opcode}' has one result, got two`);
    writer.write(first.first, result, value);
    const told = writer.value(`load i8, ptr ${second}`);
    writer.write(first.second, typeOf('pred'), writer.value(`trunc i8 ${told} to i1`));
  } else writer.write(first, result, value);
}

function argument(writer: Writer, name: string, operand: PtxOperand, form: Form): string {
  if (name === 'addr') return `ptr ${writer.address(operand)}`;
  const type = typeOf(name);
  const value = writer.read(operand, type);
  if (!form.flushes || name !== form.type) return `${type.ir} ${value}`;
  return `${type.ir} ${writer.call(`__ptx_ftz_${name}`, type.ir, [`${type.ir} ${value}`])}`;
}
