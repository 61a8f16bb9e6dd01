import { writeInstruction } from './instructions.ts';
import { PtxError } from './ptx-error.ts';
import type { PtxInstruction, PtxStatement } from './statements.ts';
import { typeOf } from './ptx-type.ts';
import type { Writer } from './writer.ts';

/** Translate the statements of a block: a template's or one in braces. */
export function writeStatements(writer: Writer, body: readonly PtxStatement[]): void {
  writer.open(body.flatMap((one) => (one.kind === 'label' ? [one.name] : [])));
  for (const statement of body) {
    switch (statement.kind) {
      case 'registers':
        writer.declare(statement.type, statement.names);
        break;
      case 'label':
        writer.enter(writer.label(statement.name));
        break;
      case 'block':
        writeStatements(writer, statement.body);
        break;
      case 'instruction':
        writeGuarded(writer, statement);
    }
  }
  writer.close();
}

function writeGuarded(writer: Writer, instruction: PtxInstruction): void {
  const { guard, opcode } = instruction;
  if (opcode[0] === 'bra') {
    writeBranch(writer, instruction);
    return;
  }
  if (!guard) {
    writeInstruction(writer, instruction);
    return;
  }
  const condition = writer.read(guard.predicate, typeOf('pred'));
  const [inside, after] = [writer.block(), writer.block()];
  const [yes, no] = guard.negated ? [after, inside] : [inside, after];
  writer.line(`br i1 ${condition}, label %${yes}, label %${no}`);
  writer.lines.push(`${inside}:`);
  writeInstruction(writer, instruction);
  writer.enter(after);
}

function writeBranch(writer: Writer, { opcode, operands, guard }: PtxInstruction): void {
  const [target] = operands;
  if (target?.kind !== 'name' || operands.length !== 1) throw new PtxError(`'${opcode.join('.')}' must have one label`);
  const label = writer.label(target.name);
  const after = writer.block();
  if (!guard) writer.line(`br label %${label}`);
  else {
    const condition = writer.read(guard.predicate, typeOf('pred'));
    const [yes, no] = guard.negated ? [after, label] : [label, after];
    writer.line(`br i1 ${condition}, label %${yes}, label %${no}`);
  }
  writer.lines.push(`${after}:`);
}
