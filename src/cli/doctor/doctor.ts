import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as cuda from '../../cuda/index.ts';
import * as nccl from '../../nccl/index.ts';
import * as nvml from '../../nvml/index.ts';
import * as cl from '../../opencl/index.ts';
import { openclDevice } from '../choose-device.ts';
import { placedDevices } from '../facts/opencl-facts.ts';
import { messageOf, type IO, type Outcome, type Paint } from '../output.ts';
import { embeddedCompiler, VERSION } from '../facts/package-facts.ts';
import { progress } from '../progress.ts';
import { tryCuda, tryOpenCL, type Trial } from './smoke-test.ts';
import { pairs } from '../table.ts';
import { readWhat, type What } from '../target.ts';

/** The findings of `rawkernel doctor`. */
interface Findings {
  readonly ok: boolean;
  readonly rawkernel: string;
  readonly node: string;
  readonly platform: string;
  readonly libraries: readonly cuda.LibraryReport[];
  readonly embeddedCompiler: ReturnType<typeof embeddedCompiler>;
  /** The files that name OpenCL drivers to the loader, and those drivers. */
  readonly openclDrivers: readonly { readonly file: string; readonly library: string }[];
  readonly environment: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
  /** Missing parts other than libraries, with advice. */
  readonly missing: readonly string[];
  readonly devices: readonly Trial[];
}

/** Variables that decide what is found. */
const VARIABLES = [
  'RAWKERNEL_DEVICE',
  'RAWKERNEL_CUDA_DEVICE',
  'RAWKERNEL_CTX',
  'RAWKERNEL_LIBCUDA',
  'RAWKERNEL_LIBNVRTC',
  'RAWKERNEL_LIBNVJITLINK',
  'RAWKERNEL_LIBNVVM',
  'RAWKERNEL_LIBNVML',
  'RAWKERNEL_LIBNVTX',
  'RAWKERNEL_LIBOPENCL',
  'RAWKERNEL_CACHE_DIR',
  'RAWKERNEL_NO_CACHE',
  'RAWKERNEL_CPU_CHECK',
  'CUDA_HOME',
  'CUDA_PATH',
  'CUDA_VISIBLE_DEVICES',
  'NVIDIA_VISIBLE_DEVICES',
  'LD_LIBRARY_PATH',
  'OCL_ICD_VENDORS',
  'OCL_ICD_FILENAMES',
];

/** `rawkernel doctor`: what is installed, and whether it works. */
export async function doctor(args: readonly string[], _: object, io: IO): Promise<Outcome> {
  const what = readWhat(args);
  const libraries = [
    ...(what.cuda ? [...cuda.findLibraries(), ...nvml.findLibraries(), ...nccl.findLibraries()] : []),
    ...(what.opencl ? cl.findLibraries() : []),
  ];
  const problems = libraries.flatMap(problemOf);
  const devices: Trial[] = [];
  if (what.cuda) devices.push(...(await cudaTrials(io, problems)));
  if (what.cuda && libraries.some(({ variable, path }) => variable === 'RAWKERNEL_LIBNVML' && path !== undefined)) {
    problems.push(...nvmlProblems());
  }
  const missing: string[] = [];
  if (what.opencl) devices.push(...(await openclTrials(io, problems, missing)));
  const document: Findings = {
    ok: devices.length > 0 && problems.length === 0 && devices.every(({ ok }) => ok),
    rawkernel: VERSION,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    libraries,
    embeddedCompiler: embeddedCompiler(),
    openclDrivers: what.opencl ? openclDrivers(io.env) : [],
    environment: Object.fromEntries(VARIABLES.flatMap((name) => (io.env[name] ? [[name, io.env[name]]] : []))),
    problems,
    missing,
    devices,
  };
  return { document, text: (paint) => show(document, what, paint), code: document.ok ? 0 : 1 };
}

/** A library that is there and cannot be loaded. */
function problemOf({ title, path, absent, tried }: cuda.LibraryReport): string[] {
  if (path !== undefined || absent) return [];
  const broken = tried.find((answer) => !/No such file/.test(answer)) ?? tried[0] ?? '';
  return [`${title} is installed and does not load: ${broken}`];
}

async function cudaTrials(io: IO, problems: string[]): Promise<Trial[]> {
  const trials: Trial[] = [];
  let embedded = false;
  try {
    const count = cuda.Device.count();
    embedded = count > 0 && new cuda.Device(0).isEmbedded;
    if (!embedded || embeddedCompiler().installed) {
      for (let i = 0; i < count; i++) trials.push(await progress(io, `cuda:${i}: compiling`, tryCuda(i)));
    }
    if (!embedded && count > 0) problems.push(...tooNew());
  } catch (error) {
    problems.push(messageOf(error));
  }
  // The other process has 'cpu': it must not ask another one in turn, also where its device does not start.
  const isChosen = io.env['RAWKERNEL_DEVICE'] === 'gpu' || io.env['RAWKERNEL_DEVICE'] === 'cpu';
  if (embedded || isChosen || !embeddedCompiler().installed) return trials;
  return [...trials, ...(await embeddedTrials(io, problems))];
}

/** A library that is there and does not start: after an update of the driver, for example, until it is loaded anew. */
function nvmlProblems(): string[] {
  try {
    nvml.Device.count();
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

/** Code of a compiler that is newer than the driver may not load. */
function tooNew(): string[] {
  try {
    const [driver, compiler] = [cuda.driverVersion(), cuda.compilerVersion()];
    if (compiler[0] <= driver[0]) return [];
    return [`NVRTC ${compiler.join('.')} is newer than the driver, which is for CUDA ${driver.join('.')}`];
  } catch {
    // Without NVRTC there is no version to compare; the list of libraries has it as missing.
    return [];
  }
}

/** A process has one CUDA driver: another one tries the embedded device. */
async function embeddedTrials(io: IO, problems: string[]): Promise<Trial[]> {
  try {
    const answer = await progress(
      io,
      'the embedded device: compiling',
      io.again(['doctor', 'cuda', '--json'], { RAWKERNEL_DEVICE: 'cpu' }),
    );
    const { devices } = JSON.parse(answer) as Findings;
    return devices.map((trial) => ({ ...trial, id: 'cpu' }));
  } catch (error) {
    problems.push(`The embedded CPU device did not answer: ${messageOf(error)}`);
    return [];
  }
}

async function openclTrials(io: IO, problems: string[], missing: string[]): Promise<Trial[]> {
  const trials: Trial[] = [];
  try {
    const placed = placedDevices();
    if (placed.length === 0) missing.push(noOpenCLDevice());
    for (const { id, device } of placed) {
      // The embedded device without clang's package, which the list says.
      if (!device.compilerAvailable) continue;
      trials.push(await progress(io, `${id}: compiling`, tryOpenCL(id, device)));
    }
  } catch (error) {
    problems.push(messageOf(error));
  }
  return trials;
}

function noOpenCLDevice(): string {
  try {
    return openclDevice(undefined).name;
  } catch (error) {
    return messageOf(error);
  }
}

const VENDORS = '/etc/OpenCL/vendors';

function openclDrivers(env: IO['env']): Findings['openclDrivers'] {
  const folder = env['OCL_ICD_VENDORS'] ?? VENDORS;
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.icd'))
      .sort()
      .map((name) => ({ file: join(folder, name), library: readFileSync(join(folder, name), 'utf8').trim() }));
  } catch {
    return [];
  }
}

function show(findings: Findings, what: What, paint: Paint): string {
  const { rawkernel, node, platform, environment, problems, missing, devices } = findings;
  const parts = [
    verdicts(findings, what, paint).join('\n'),
    paint('dim', `rawkernel ${rawkernel}, Node.js ${node}, ${platform}`),
    `${paint('bold', 'Libraries')}\n${libraryLines(findings, paint).join('\n')}`,
  ];
  const drivers = findings.openclDrivers.map(({ file, library }) => [file, library] as const);
  if (drivers.length > 0) parts.push(`${paint('bold', 'OpenCL drivers')}\n${pairs(drivers)}`);
  const variables = Object.entries(environment);
  if (variables.length > 0) parts.push(`${paint('bold', 'Environment')}\n${pairs(variables)}`);
  parts.push(`${paint('bold', 'Devices')}\n${deviceLines(devices, paint).join('\n')}`);
  for (const text of missing) parts.push(`${paint('yellow', 'missing')}  ${indented(text)}`);
  for (const problem of problems) parts.push(`${paint('red', 'problem')}  ${indented(problem)}`);
  parts.push(verdict(findings, paint));
  return parts.join('\n\n');
}

/** A line for each half: what it runs on, or that it runs on nothing. */
function verdicts({ devices }: Findings, what: What, paint: Paint): string[] {
  const line = (title: string, own: readonly Trial[]): string => {
    const names = (some: readonly Trial[]): string => some.map(({ id, name }) => `${id} (${name})`).join(', ');
    const [good, bad] = [own.filter(({ ok }) => ok), own.filter(({ ok }) => !ok)];
    const texts = [
      ...(good.length > 0 ? [paint('green', `works on ${names(good)}`)] : []),
      ...(bad.length > 0 ? [paint('red', `fails on ${names(bad)}`)] : []),
    ];
    return `${title.padEnd(6)}  ${texts.length > 0 ? texts.join('; ') : paint('red', 'has nothing to run on: see below')}`;
  };
  const isOpenCL = ({ id }: Trial): boolean => id.startsWith('opencl:');
  return [
    ...(what.cuda
      ? [
          line(
            'CUDA',
            devices.filter((device) => !isOpenCL(device)),
          ),
        ]
      : []),
    ...(what.opencl ? [line('OpenCL', devices.filter(isOpenCL))] : []),
  ];
}

function verdict({ ok, devices }: Findings, paint: Paint): string {
  if (ok) return paint('green', 'What is installed works.');
  return paint('red', devices.length === 0 ? 'Nothing here can run a kernel.' : 'Something does not work.');
}

function libraryLines({ libraries, embeddedCompiler: clang }: Findings, paint: Paint): string[] {
  const lines = libraries.flatMap(({ title, path, version, tried, advice, absent }) => {
    if (path !== undefined) {
      return [`  ${paint('green', 'found  ')}  ${title}: ${path}${version === undefined ? '' : `, ${version}`}`];
    }
    return [
      `  ${absent ? paint('yellow', 'missing') : paint('red', 'broken ')}  ${title}`,
      ...tried.map((answer) => paint('dim', `             tried  ${answer}`)),
      ...advice.map((line) => `             fix    ${line}`),
    ];
  });
  const title = `${clang.name}, the compiler of the embedded CPU device`;
  if (clang.installed) return [...lines, `  ${paint('green', 'found  ')}  ${title}`];
  return [...lines, `  ${paint('yellow', 'missing')}  ${title}`, `             fix    ${clang.advice}`];
}

function deviceLines(devices: readonly Trial[], paint: Paint): string[] {
  if (devices.length === 0) return ['  none that could run a kernel'];
  return devices.map(({ id, name, ok, milliseconds, error = '' }) => {
    const word = ok ? paint('green', 'works  ') : paint('red', 'fails  ');
    const ending = ok ? `a kernel compiled and ran in ${milliseconds} ms` : indented(error);
    return `  ${word}  ${paint('cyan', id)}  ${name}: ${ending}`;
  });
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n           ');
}
