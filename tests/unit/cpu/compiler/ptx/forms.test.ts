import { expect, test } from '@jest/globals';
import { expandForms } from '../../../../../src/cpu/compiler/ptx/forms.ts';
import { compileText } from '../../../../helpers/cpu-program.ts';
import { kernelOfForms, PTX_TABLES, type PtxTable } from '../../../../helpers/ptx-statements.ts';

test('patterns give every opcode, and each its function and types', () => {
  const forms = expandForms({
    'add[.{rn,rz}][.ftz].f32': 'T T T',
    'mul.wide.{u16,s32}': 'W T T',
    'addc.cc.u32': 'cc T T T',
    'match.all.sync.b64': 'b32|pred T b32',
  });
  const adds = ['add.f32', 'add.ftz.f32', 'add.rn.f32', 'add.rn.ftz.f32', 'add.rz.f32', 'add.rz.ftz.f32'];
  expect([...forms.keys()].sort()).toEqual([
    ...adds,
    'addc.cc.u32',
    'match.all.sync.b64',
    'mul.wide.s32',
    'mul.wide.u16',
  ]);
  expect(forms.get('add.rn.ftz.f32')).toMatchObject({
    helper: '__ptx_add_f32',
    flushes: true,
    operands: ['f32', 'f32'],
  });
  expect(forms.get('add.rz.f32')).toMatchObject({ helper: '__ptx_add_rz_f32', flushes: false });
  expect(forms.get('mul.wide.s32')).toMatchObject({ results: ['s64'], operands: ['s32', 's32'] });
  expect(forms.get('addc.cc.u32')).toMatchObject({ carries: true, operands: ['u32', 'u32'] });
  expect(forms.get('match.all.sync.b64')).toMatchObject({ results: ['b32', 'pred'], operands: ['b64', 'b32'] });
});

test.each(Object.keys(PTX_TABLES) as PtxTable[])(
  'every instruction of the %s compiles',
  (table) => {
    const { program, log } = compileText(kernelOfForms(table));
    expect(log).toBe('');
    expect(program?.kernels.map(({ symbol }) => symbol)).toEqual([table]);
  },
  300_000,
);
