import { basename, extname } from 'node:path';
import { settleDevice } from '../choose-device.ts';
import { compileCuda, type CudaForm } from './compile-cuda.ts';
import { compileOpenCL } from './compile-opencl.ts';
import type { CompiledFile, CompileOptions } from './compiled-file.ts';
import { checkOutputFile, writeOutputFile } from '../output-file.ts';
import { UsageError, type IO, type Outcome, type Paint } from '../output.ts';
import { readSource } from '../source-file.ts';
import { counted, table } from '../table.ts';

type Form = CudaForm | 'binary';

const SUFFIXES: Readonly<Record<Form, string>> = {
  ptx: '.ptx',
  cubin: '.cubin',
  'lto-ir': '.ltoir',
  wasm: '.wasm',
  binary: '.bin',
};

/** `rawkernel compile`: one file, to whatever form is wanted. */
export async function compile(args: readonly string[], options: CompileOptions, io: IO): Promise<Outcome> {
  const [path = '', ...rest] = args;
  const form = formOf(options);
  if (options.output !== undefined && form === undefined) {
    throw new UsageError('-o needs to know of what: --ptx, --cubin, --lto-ir, --wasm or --binary');
  }
  const source = readSource(path, options);
  if (source.code) throw new UsageError(`${path} is compiled already`);
  check(source.language, form, options);
  const output = form && (options.output ?? `${basename(path, extname(path))}${SUFFIXES[form]}`);
  const toFile = output === '-' ? undefined : output;
  if (toFile !== undefined) checkOutputFile(toFile, `-o ${toFile}`, [path]);
  if (form === 'wasm') settleDevice('cpu');
  else if (form !== undefined && form !== 'binary') settleDevice('gpu');
  else if (options.arch !== undefined) settleDevice('gpu');
  else if (options.device === 'cpu') settleDevice('cpu');
  const made =
    source.language === 'cuda'
      ? await compileCuda(source, form === 'binary' ? undefined : form, options, rest, io)
      : await compileOpenCL(source, form !== undefined, options, rest, io);
  const bytes = output === '-' ? made.code : undefined;
  if (toFile !== undefined) writeOutputFile(toFile, made.code ?? new Uint8Array(), `-o ${toFile}`);
  const document = {
    file: path,
    language: source.language,
    target: made.target,
    form: form ?? null,
    output: output ?? null,
    byteLength: made.code?.byteLength ?? null,
    kernels: made.kernels,
    log: made.log,
  };
  return {
    document,
    text: (paint) => show(made, toFile, paint),
    ...(bytes ? { bytes } : {}),
  };
}

function formOf(options: CompileOptions): Form | undefined {
  const forms: readonly (readonly [Form, boolean | undefined])[] = [
    ['ptx', options.ptx],
    ['cubin', options.cubin],
    ['lto-ir', options.ltoIr],
    ['wasm', options.wasm],
    ['binary', options.binary],
  ];
  const chosen = forms.flatMap(([form, wanted]) => (wanted === true ? [form] : []));
  if (chosen.length > 1) throw new UsageError(`One form at a time, got --${chosen.join(' and --')}`);
  if (options.output === '-' && options.json === true) throw new UsageError('-o - and --json both want stdout');
  return chosen[0];
}

function check(language: 'cuda' | 'opencl', form: Form | undefined, options: CompileOptions): void {
  if (language === 'cuda') {
    if (form === 'binary') throw new UsageError('--binary is for OpenCL; CUDA has --cubin');
    if (options.device !== undefined && options.device !== 'cpu') {
      throw new UsageError('--device is for OpenCL; CUDA code is for an --arch');
    }
    if (form === 'wasm' && options.arch !== undefined) throw new UsageError('--wasm has no --arch');
    return;
  }
  if (form !== undefined && form !== 'binary') throw new UsageError(`--${form} is for CUDA; OpenCL has --binary`);
  if (options.arch !== undefined) throw new UsageError('--arch is for CUDA; OpenCL code is for a --device');
}

function show({ target, code, kernels, log }: CompiledFile, output: string | undefined, paint: Paint): string {
  const head = `${counted(kernels.length, 'kernel')} for ${target}`;
  const cell = (value: number | undefined): string => (value === undefined ? '-' : String(value));
  const known = COLUMNS.filter(({ key }) => kernels.some((kernel) => kernel[key] !== undefined));
  const rows = kernels.map((kernel) => [...known.map(({ key }) => cell(kernel[key])), kernel.signature]);
  const parts = [paint('bold', head)];
  if (kernels.length > 0) parts.push(table([...known.map(({ title }) => title), 'kernel'], rows));
  if (log.trim() !== '') parts.push(paint('yellow', log.trim()));
  if (output !== undefined) parts.push(`${output}: ${code?.byteLength ?? 0} bytes`);
  return parts.join('\n');
}

const COLUMNS = [
  { key: 'registers', title: 'registers' },
  { key: 'sharedBytes', title: 'shared' },
  { key: 'localBytes', title: 'local' },
  { key: 'spillBytes', title: 'spilled' },
  { key: 'maxThreads', title: 'threads' },
] as const;
