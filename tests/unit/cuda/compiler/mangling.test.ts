import { describe, expect, test } from '@jest/globals';
import { parseType } from '../../../../src/core/signature.ts';
import { demangle } from '../../../../src/cuda/compiler/mangling.ts';

// Each made by nvcc, NVRTC or g++, and checked against c++filt.
const SYMBOLS: [symbol: string, name: string, parameters: string[]][] = [
  ['_Z4nonev', 'none', []],
  ['_Z3addPfPKfi', 'add', ['float *', 'const float *', 'int']],
  [
    '_Z3addPfPKfi1S6float31EPA4_fhbxm',
    'add',
    [
      'float *',
      'const float *',
      'int',
      'S',
      'float3',
      'E',
      'float (*)[4]',
      'unsigned char',
      'bool',
      'long long',
      'unsigned long',
    ],
  ],
  [
    '_Z3bigcahstijlmxynofdw',
    'big',
    [
      'char',
      'signed char',
      'unsigned char',
      'short',
      'unsigned short',
      'int',
      'unsigned int',
      'long',
      'unsigned long',
      'long long',
      'unsigned long long',
      '__int128',
      'unsigned __int128',
      'float',
      'double',
      'wchar_t',
    ],
  ],
  [
    '_Z3strPKcPrPhPKvPPv14__nv_bfloat162PK6__halfoDsDiDuam',
    'str',
    [
      'const char *',
      'unsigned char **',
      'const void *',
      'void **',
      '__nv_bfloat162',
      'const __half *',
      'unsigned __int128',
      'char16_t',
      'char32_t',
      'char8_t',
      'signed char',
      'unsigned long',
    ],
  ],
  ['_Z1fcPKPKfPVKiPDh', 'f', ['char', 'const float *const *', 'const volatile int *', '__fp16 *']],
  ['_Z1fDF16_DF16bDF32_PDF64_', 'f', ['_Float16', 'std::bfloat16_t', '_Float32', '_Float64 *']],
  ['_Z1fu6__bf16', 'f', ['std::bfloat16_t']],
  ['_Z1fde', 'f', ['double', 'long double']],
  ['_Z1fPKcz', 'f', ['const char *', '...']],
  ['_Z1f6float45char36uchar211double4_16a4dim3', 'f', ['float4', 'char3', 'uchar2', 'double4_16a', 'dim3']],
  ['_Z1fN2ns6float4E', 'f', ['ns::float4']],
  ['_Z1fPA3_A4_fPA_i', 'f', ['float (*)[3][4]', 'int (*)[]']],
  ['_Z1fPFviPfEPFPFviEfE', 'f', ['void (*)(int, float *)', 'void (*(*)(float))(int)']],
  ['_Z1fPFvvEPPFiPKczE', 'f', ['void (*)()', 'int (**)(const char *, ...)']],
  ['_Z1fM1SiMS_FifE', 'f', ['int S::*', 'int (S::*)(float)']],
  ['_Z1fRKfOiRA2_1S', 'f', ['const float &', 'int &&', 'S (&)[2]']],
  ['_Z1fPU3AS1fU3AS3Pi', 'f', ['float *', 'int *']],
  ['_Z1fU8__vectorf', 'f', ['float __vector']],
  [
    '_Z1fN2n12n22EnENS0_3BoxIS1_EEPKNS0_3BoxIPKS1_EE',
    'f',
    ['n1::n2::En', 'n1::n2::Box<n1::n2::En>', 'const n1::n2::Box<const n1::n2::En *> *'],
  ],
  ['_ZL6staticPi', 'static', ['int *']],
  ['_ZN2ns3addEPfNS_1SE', 'ns::add', ['float *', 'ns::S']],
  ['_ZN12_GLOBAL__N_14anonEPNS_1SE', '(anonymous namespace)::anon', ['(anonymous namespace)::S *']],
  ['_ZN36_GLOBAL__N__39102f35_4_a_cu_816efb264anonEPiN2ns1VE', '(anonymous namespace)::anon', ['int *', 'ns::V']],
  ['_ZN2v12v24kernEPNS_1SES1_', 'v1::v2::kern', ['v1::S *', 'v1::S']],
  ['_Z11getSockPathB5cxx11v', 'getSockPath[abi:cxx11]', []],
  [
    '_Z1fSsSaIcESt4pairIifESt6vectorIfSaIfEE',
    'f',
    ['std::string', 'std::allocator<char>', 'std::pair<int, float>', 'std::vector<float, std::allocator<float>>'],
  ],
  [
    '_Z1fNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE',
    'f',
    ['std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>'],
  ],
  ['_Z5scaleIfEvPT_PKS0_S0_', 'scale<float>', ['float *', 'const float *', 'float']],
  ['_ZN2ns5scaleI6float3EEvPT_PKS2_S2_', 'ns::scale<float3>', ['float3 *', 'const float3 *', 'float3']],
  ['_ZN1SIfE3runIiEEvfT_', 'S<float>::run<int>', ['float', 'int']],
  ['_ZN1SIfE3runEPf', 'S<float>::run', ['float *']],
  [
    '_Z3cvsIPKfEvT_S2_PKS2_PKPS2_PVS2_PVKS2_',
    'cvs<const float *>',
    [
      'const float *',
      'const float *',
      'const float *const *',
      'const float **const *',
      'const float *volatile *',
      'const float *const volatile *',
    ],
  ],
  [
    '_Z3cvsIfEvT_S0_PKS0_PKPS0_PVS0_PVKS0_',
    'cvs<float>',
    ['float', 'float', 'const float *', 'float *const *', 'volatile float *', 'const volatile float *'],
  ],
  ['_Z1fIRKfEvPFvT_E', 'f<const float &>', ['void (*)(const float &)']],
  ['_Z1fIA3_fEvRT_PS1_', 'f<float[3]>', ['float (&)[3]', 'float (*)[3]']],
  [
    '_ZN2ns3arrIfLi4EEEvNS_3ArrIT_XT0_EEEPNS1_IPKS2_XT0_EEEPAT0__S2_',
    'ns::arr<float, 4>',
    ['ns::Arr<float, 4>', 'ns::Arr<const float *, 4> *', 'float (*)[4]'],
  ],
  [
    '_Z3ex2IfLi4EEv3ArrIT_XmlT0_Li2EEEPS0_IS1_XplT0_Li1EEES0_IS1_XstS1_EES1_',
    'ex2<float, 4>',
    ['Arr<float, 4*2>', 'Arr<float, 4+1> *', 'Arr<float, sizeof(float)>', 'float'],
  ],
  [
    '_Z2bbILb1EEvSt17integral_constantIbXT_EES0_IbXntT_EE',
    'bb<true>',
    ['std::integral_constant<bool, true>', 'std::integral_constant<bool, !true>'],
  ],
  ['_Z4litsILb1ELc97ELj4EL1E1ELm7EEvi', 'lits<true, (char)97, 4, (E)1, 7>', ['int']],
  ['_Z2tvIsLsn3EEvT_', 'tv<short, -3>', ['short']],
  ['_Z2tvIN2n12n22EnELS2_1EEvT_', 'tv<n1::n2::En, (n1::n2::En)1>', ['n1::n2::En']],
  ['_Z1fILDnEEvi', 'f<nullptr>', ['int']],
  ['_Z2fpIXadL_Z2gfiEEEvi', 'fp<&gf>', ['int']],
  ['_Z2fpIL_Z2gfiEEvi', 'fp<gf>', ['int']],
  ['_Z4packIJiPf1SEEvDpT_', 'pack<int, float *, S>', ['int', 'float *', 'S']],
  ['_Z4packIJEEvDpT_', 'pack<>', []],
  ['_Z4packIiJfEEvT_DpT0_', 'pack<int, float>', ['int', 'float']],
  ['_Z4packIIifEEvDpT_', 'pack<int, float>', ['int', 'float']],
  [
    '_Z2p1IJif1SEEv3TupIJDpT_EEPS1_IJDpPKS2_EEDpPS2_',
    'p1<int, float, S>',
    ['Tup<int, float, S>', 'Tup<const int *, const float *, const S *> *', 'int *', 'float *', 'S *'],
  ],
  [
    '_Z2p2IfJi1SEEvT_3TupIJDpT0_EEDp3ArrIS3_Li3EE',
    'p2<float, int, S>',
    ['float', 'Tup<int, S>', 'Arr<int, 3>', 'Arr<S, 3>'],
  ],
  [
    '_Z2ttIN2n12n23BoxEiEvT_IT0_EPS3_IPS4_ES4_',
    'tt<n1::n2::Box, int>',
    ['n1::n2::Box<int>', 'n1::n2::Box<int *> *', 'int'],
  ],
  ['_Z3depIiEvN2trIT_E4typeES1_', 'dep<int>', ['tr<int>::type', 'int']],
  [
    '_Z3depIfEvN2n12n23BoxIT_E4typeENS4_2ReIiEEPKS4_',
    'dep<float>',
    ['n1::n2::Box<float>::type', 'n1::n2::Box<float>::Re<int>', 'const n1::n2::Box<float> *'],
  ],
  ['_Z3en3IiENSt9enable_ifIL_ZSt9is_same_vEvE4typeET_PS3_', 'en3<int>', ['int', 'int *']],
  ['_Z3en2IiENSt9enable_ifIXaasr3std11is_integralIT_EE5valuegtstS1_Li2EEvE4typeES1_', 'en2<int>', ['int']],
  ['_Z2fnIZ4mainEUliE_EvT_', 'fn<main::{lambda(int)#1}>', ['main::{lambda(int)#1}']],
  ['_Z2fnIZ4mainEUlvE0_EvT_PS1_', 'fn<main::{lambda()#2}>', ['main::{lambda()#2}', 'main::{lambda()#2} *']],
  [
    '_Z3appIZ4hostIfEvPT_EUlT_iE_JfiEEvS1_DpT0_',
    'app<host<float>(float *)::{lambda(auto:1, int)#1}, float, int>',
    ['host<float>(float *)::{lambda(auto:1, int)#1}', 'float', 'int'],
  ],
  [
    '_Z3appIZNK1H3runIiEEvT_EUliE_JiEEvS2_DpT0_',
    'app<H::run<int>(int) const::{lambda(int)#1}, int>',
    ['H::run<int>(int) const::{lambda(int)#1}', 'int'],
  ],
  ['_Z2fnIZ1gvE1SEvT_', 'fn<g()::S>', ['g()::S']],
  ['_Z2fnIZ1gvEUt_EvT_', 'fn<g()::{unnamed type#1}>', ['g()::{unnamed type#1}']],
  [
    '_ZSt13__adjust_heapIPmlmN9__gnu_cxx5__ops15_Iter_comp_iterIZ11std_argsortIdEvPT_S0_mmEUlmmE_EEEvS5_T0_S9_T1_T2_',
    'std::__adjust_heap<unsigned long *, long, unsigned long, __gnu_cxx::__ops::_Iter_comp_iter<std_argsort<double>(double *, unsigned long *, unsigned long, unsigned long)::{lambda(unsigned long, unsigned long)#1}>>',
    [
      'unsigned long *',
      'long',
      'long',
      'unsigned long',
      '__gnu_cxx::__ops::_Iter_comp_iter<std_argsort<double>(double *, unsigned long *, unsigned long, unsigned long)::{lambda(unsigned long, unsigned long)#1}>',
    ],
  ],
  ['__nv_static_25__39102f35_4_a_cu_816efb26__Z4statPyl', 'stat', ['unsigned long long *', 'long']],
];

describe('demangle()', () => {
  test.each(SYMBOLS)('reads %s', (symbol, name, parameters) => {
    const found = demangle(symbol);
    expect(found?.name).toBe(name);
    expect(found?.parameters.map(({ text }) => text)).toEqual(parameters);
  });

  test('spells types as parseType() does', () => {
    const all = SYMBOLS.flatMap(([symbol]) => demangle(symbol)?.parameters ?? []);
    // Lambdas, vendor qualifiers and the like cannot be written in C++.
    const writable = all.filter(({ text }) => !/[{(]anon|[{]|\.\.\.|\)::|__vector|:1\b/.test(text));
    expect(writable.length).toBeGreaterThan(120);
    for (const type of writable) expect(parseType(type.text, 'cuda')).toEqual(type);
  });

  test.each([
    ['_Z3addPfi', 'add'],
    ['_ZN2ns5scaleIN2ns1SEEEvT_', 'scale'],
    ['_ZN12_GLOBAL__N_14anonIiEEvT_', 'anon'],
    ['_ZN1SIfE3runIiEEvfT_', 'run'],
  ])('finds the base name of %s', (symbol, base) => {
    expect(demangle(symbol)?.base).toBe(base);
  });

  test('knows what a type is, not only how it is spelled', () => {
    const types = demangle('_Z1fPKfi6float3b6__half1SRKi')?.parameters ?? [];
    expect(types.map(({ kind, size, align }) => [kind, size, align])).toEqual([
      ['pointer', 8, 8],
      ['int', 4, 4],
      ['vector', 12, 4],
      ['bool', 1, 1],
      ['float', 2, 2],
      ['named', undefined, undefined],
      ['named', undefined, undefined],
    ]);
  });

  test('takes a user class for no CUDA class', () => {
    expect(demangle('_Z1fN2ns6float4E')?.parameters[0]).toMatchObject({ text: 'ns::float4', kind: 'named' });
    expect(demangle('_Z1f4uint')?.parameters[0]).toMatchObject({ text: 'uint', kind: 'named' });
  });

  test.each([
    ['a C name', 'add'],
    ['nothing', ''],
    ['a variable', '_ZN2ns1xE'],
    ['a vtable', '_ZTV1S'],
    ['a constructor', '_ZN1SC1Ei'],
    ['a const member function', '_ZNK1S3getEi'],
    ['a text cut short', '_Z3addPf1'],
    ['a length past the end', '_Z9999addPf'],
    ['text left over', '_Z3addPf.part.0'],
    ['an unknown substitution', '_Z3addS3_'],
    ['an unknown template parameter', '_Z3addT_'],
    ['a vector extension', '_Z1fDv4_f'],
    ['a decltype', '_Z1fIiEDTfp_ET_'],
    ['a pack that EDG leaves unexpanded', '_Z2p3IJLi1ELi2ELi3EEEv3SeqIJXT_EEE3ArrIiXsZT_EE'],
    ['void among others', '_Z1fiv'],
    ['a type of another template', '_Z1fIZ1gIiEvPT_EUlvE_EvS3_'],
  ])('does not guess: %s', (_, symbol) => {
    expect(demangle(symbol)).toBeUndefined();
  });

  test.each([
    ['deep pointers', `_Z1f${'P'.repeat(50_000)}i`],
    ['deep templates', `_Z1fI${'1AI'.repeat(20_000)}`],
    ['deep locals', `_Z1f${'Z'.repeat(50_000)}`],
    ['many packs', `_Z1fIJ${'i'.repeat(20_000)}EEv${'DpPT_'.repeat(2000)}`],
    [
      'doubling types',
      `_Z1fSt4pairIiiE${Array.from({ length: 30 }, (_, i) => `S_IS${i.toString(36).toUpperCase()}_S${i.toString(36).toUpperCase()}_E`).join('')}`,
    ],
  ])('gives up on %s', (_, symbol) => {
    expect(demangle(symbol)).toBeUndefined();
  });

  test('survives every cut and every doubled character of a symbol', () => {
    for (const [symbol] of SYMBOLS) {
      for (let i = 0; i <= symbol.length; i++) {
        expect(() => demangle(symbol.slice(0, i))).not.toThrow();
        expect(() => demangle(symbol.slice(0, i) + symbol.slice(i + 1))).not.toThrow();
        expect(() => demangle(symbol.slice(0, i) + symbol.slice(Math.max(0, i - 1)))).not.toThrow();
      }
    }
  });
});
