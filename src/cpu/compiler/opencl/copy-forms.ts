import { BuiltInWriter, type BuiltIn, type Definition } from './built-in.ts';
import { builtinType } from './builtin-types.ts';
import type { MangledType } from './mangling.ts';

/** Copies by all work-items of a group together, and prefetching. */
export function copyForms(of: BuiltIn): Definition | undefined {
  if (of.name === 'prefetch') return new BuiltInWriter(of).finish('');
  const strided = of.name === 'async_work_group_strided_copy';
  if (of.name !== 'async_work_group_copy' && !strided) return undefined;
  const [to] = of.parameters;
  const element = to?.kind === 'pointer' ? elementType(to.to) : undefined;
  if (to?.kind !== 'pointer' || element === undefined) return undefined;
  const intoLocal = to.qualifiers.includes('CLlocal');
  const writer = new BuiltInWriter(of);
  const id = (name: string): string => {
    writer.need(`__rt_id_${name}`, `declare i32 @__rt_id_${name}() nounwind memory(none)`);
    return writer.make(`call i32 @__rt_id_${name}()`);
  };
  const first = writer.make(`zext i32 ${id('lin')} to i64`);
  const [dx, dy, dz] = [id('dx'), id('dy'), id('dz')];
  const plane = writer.make(`mul i32 ${dx}, ${dy}`);
  const step = writer.make(`zext i32 ${writer.make(`mul i32 ${plane}, ${dz}`)} to i64`);
  writer.line(`br label %head`);
  writer.label('head');
  writer.line(`%i = phi i64 [ ${first}, %entry ], [ %next, %body ]`);
  writer.line(`%more = icmp ult i64 %i, %a2`);
  writer.line(`br i1 %more, label %body, label %done`);
  writer.label('body');
  const far = strided ? writer.make('mul i64 %i, %a3') : '%i';
  const [target, source] = intoLocal ? ['%i', far] : [far, '%i'];
  const value = writer.make(
    `load ${element.ir}, ptr ${writer.address(element.ir, '%a1', source)}, align ${element.align}`,
  );
  writer.line(`store ${element.ir} ${value}, ptr ${writer.address(element.ir, '%a0', target)}, align ${element.align}`);
  writer.line(`%next = add i64 %i, ${step}`);
  writer.line(`br label %head`);
  writer.label('done');
  // The copy has ended already, but its event must be a valid one.
  const event = strided ? '%a4' : '%a3';
  const none = writer.make(`icmp eq ptr ${event}, null`);
  return writer.finish(writer.make(`select i1 ${none}, ptr inttoptr (i64 1 to ptr), ptr ${event}`));
}

/** Three elements have the layout of four. */
function elementType(type: MangledType): { readonly ir: string; readonly align: number } | undefined {
  if (type.kind === 'pointer') return undefined;
  const scalar = builtinType(type.kind === 'vector' ? type.element : type.code);
  if (!scalar || type.kind === 'scalar') return scalar && { ir: scalar.ir, align: scalar.bytes };
  const count = type.count === 3 ? 4 : type.count;
  return { ir: `<${count} x ${scalar.ir}>`, align: scalar.bytes };
}
