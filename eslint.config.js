import js from '@eslint/js';
import tsdoc from 'eslint-plugin-tsdoc';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** The rule's options for one folder. A later match replaces an earlier one whole: it does not add to it. */
function imports(files, ...patterns) {
  return { files, rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] } };
}

const koffi = { regex: '^koffi$', message: 'Only src/ffi imports koffi.' };
const halves = {
  regex: '/(cuda|opencl|nvml|nccl)/',
  message: 'ffi and core know no vendor; the halves do not know each other.',
};
const cuda = { regex: '/cuda/', message: 'Ports of OpenCL libraries know nothing of CUDA.' };
const cpu = { regex: '/cpu/', message: 'The embedded device sits under the table: only select.ts imports it.' };
const others = { regex: '/(opencl|nvml|node-opencl|webcl|cli)/', message: 'NCCL is built on CUDA and jobs alone.' };
const index = { regex: '(^|/)index\\.ts$', message: 'index.ts is for users; import the file itself.' };
const upwards = { regex: '^\\.\\./(?!\\.\\./(ffi|core)/)', message: 'Tables are data: they import types of ffi only.' };
const ffi = {
  regex: '/ffi/(?!memory\\.ts$)',
  message: 'core takes types and memory from ffi.',
  allowTypeImports: true,
};
const core = {
  regex: '/core/(?!(errors|host-extent|trace)\\.ts$)',
  message: 'Of core, ffi imports errors.ts, host-extent.ts and trace.ts.',
};
const inner = {
  regex:
    '^(\\.\\./)+(?!(cuda|nccl|nvml|opencl)/index\\.ts$|core/(dtype|write-whole)\\.ts$)(core|cpu|cuda|ffi|nccl|node-opencl|nvml|opencl|webcl)/',
  message:
    'The command line is a user of the halves: it imports their index.ts, the element types, and what writes files.',
};
const sources = { regex: '/src/', message: 'Examples import the package, as users do.' };

const layers = [
  imports(['src/core/**'], koffi, halves, cpu, index, ffi),
  imports(['src/ffi/**'], halves, cpu, index, core),
  imports(['src/{cuda,opencl,nvml}/**'], koffi, halves, cpu, index),
  imports(['src/{cuda,opencl,nvml}/sys/**'], koffi, halves, cpu, index, upwards),
  imports(['src/{cuda,opencl,nvml}/select.ts'], koffi, halves, index),
  imports(['src/{cuda,opencl,nvml}/**/index.ts'], koffi, halves, cpu),
  imports(['src/nccl/**'], koffi, others, cpu, index),
  imports(['src/nccl/sys/**'], koffi, others, cpu, index, upwards),
  imports(['src/nccl/select.ts'], koffi, others, index),
  imports(['src/nccl/**/index.ts'], koffi, others, cpu),
  imports(['src/job/**'], koffi, halves, cpu, index),
  imports(['src/node-opencl/**'], koffi, cuda, cpu, index),
  imports(['src/node-opencl/index.ts'], koffi, cuda, cpu),
  imports(['src/webcl/**'], koffi, cuda, cpu, index),
  imports(['src/webcl/index.ts'], koffi, cuda, cpu),
  imports(['src/cli/**'], koffi, inner),
  imports(['examples/**'], sources),
];

export default defineConfig(
  globalIgnores(['dist/', 'docs/api/', 'coverage/', '**/*.{cl,cu}.d.ts']),
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    plugins: { tsdoc },
    rules: {
      'max-lines': ['error', 400],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
        { selector: '[accessibility="private"]', message: 'Write #name.' },
      ],
      'tsdoc/syntax': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  { files: ['src/**'], rules: { 'no-console': 'error' } },
  {
    files: ['src/*/sys/**'],
    // A table that refers to its C types must spell their type: declarations are made file by file.
    rules: { 'max-lines': 'off', '@typescript-eslint/no-unnecessary-type-assertion': 'off' },
  },
  {
    files: ['tests/types/**'],
    // Lines that are wrong on purpose, each under the reason in a few words.
    rules: {
      '@typescript-eslint/ban-ts-comment': ['error', { minimumDescriptionLength: 4 }],
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-generated-empty-object-type': 'off',
    },
  },
  {
    files: [
      'tests/{device,unit}/jit/**',
      'tests/helpers/jit-{mistakes,programs,puzzles}.ts',
      'tests/bench/jit.ts',
      'tests/types/jit.test-d.ts',
      'examples/*/jit.ts',
    ],
    // Kernels in TypeScript: an index of theirs gives a number, and constants are any. They are called with what users may give.
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-plus-operands': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  { files: ['src/ffi/**'], rules: { '@typescript-eslint/no-explicit-any': 'off' } },
  ...layers,
  {
    files: ['**/*.{js,mjs}'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: globals.node },
    rules: { '@typescript-eslint/explicit-module-boundary-types': 'off' },
  },
  { files: ['eslint.config.js', '.dependency-cruiser.js'], rules: { 'no-restricted-syntax': 'off' } },
);
