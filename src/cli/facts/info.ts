import * as cuda from '../../cuda/index.ts';
import * as nccl from '../../nccl/index.ts';
import * as nvml from '../../nvml/index.ts';
import * as cl from '../../opencl/index.ts';
import { cudaDevices } from './cuda-facts.ts';
import { documentOf, type Described, type Fact } from './facts.ts';
import { gpus } from './gpu-facts.ts';
import { describeOpenCL, placedDevices } from './opencl-facts.ts';
import { firstLineOf, messageOf, type IO, type Outcome, type Paint } from '../output.ts';
import { embeddedCompiler, VERSION } from './package-facts.ts';
import { pairs } from '../table.ts';
import { readWhat } from '../target.ts';

interface Options {
  readonly all?: boolean;
  readonly json?: boolean;
}

/** A part of what is shown: a half, or what another library knows. */
interface Section {
  readonly key: string;
  readonly title: string;
  /** Lines above the devices: versions. */
  readonly facts: readonly Fact[];
  readonly devices: readonly Shown[];
  /** Why there is nothing. */
  readonly missing?: string | undefined;
}

/** A device as it is shown, and as it is printed as JSON. */
interface Shown {
  readonly id: string;
  readonly name: string;
  readonly rows: readonly (readonly [label: string, text: string])[];
  readonly document: Record<string, unknown>;
}

/** `rawkernel info`: the devices and what kernels have of them. */
export async function info(args: readonly string[], options: Options, io: IO): Promise<Outcome> {
  const what = readWhat(args);
  const all = options.all === true;
  const sections: Section[] = [];
  if (what.cuda) sections.push(section('cuda', 'CUDA', cudaVersions, () => cudaDevices(all)));
  if (what.cuda && isElsewhere(io.env)) sections.push(await embeddedSection(all, io));
  if (what.opencl) sections.push(section('opencl', 'OpenCL', openclVersions, () => openclDevices(all)));
  if (what.cuda) sections.push(section('nvml', 'What the GPUs do, by NVML', nvmlVersions, gpus));
  const document = {
    rawkernel: VERSION,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    ...Object.fromEntries(sections.map((one) => [one.key, sectionDocument(one)])),
  };
  return { document, text: (paint) => show(sections, paint) };
}

function section(
  key: string,
  title: string,
  versions: () => readonly Fact[],
  devices: () => readonly Described[],
): Section {
  try {
    const list = devices().map(shown);
    const missing = list.length === 0 ? 'no device' : undefined;
    return { key, title, facts: versions(), devices: list, missing };
  } catch (error) {
    return { key, title, facts: [], devices: [], missing: firstLineOf(error) };
  }
}

function shown(described: Described): Shown {
  const rows = described.facts.map(({ label, text }) => [label, text] as const);
  return { id: described.id, name: described.name, rows, document: documentOf(described) };
}

function cudaVersions(): readonly Fact[] {
  const version = ([major, minor]: cuda.CudaVersion): string => `${major}.${minor}`;
  const facts: Fact[] = [];
  const add = (key: string, label: string, ask: () => string): void => {
    try {
      const value = ask();
      facts.push({ key, label, value, text: value });
    } catch (error) {
      facts.push({ key, label, value: null, text: firstLineOf(error) });
    }
  };
  if (new cuda.Device(0).isEmbedded) {
    const { name, installed, advice } = embeddedCompiler();
    add('compiler', 'compiler', () => (installed ? name : `not installed: ${advice}`));
    return facts;
  }
  add('driverVersion', 'driver, for CUDA', () => version(cuda.driverVersion()));
  add('nvrtcVersion', 'NVRTC', () => version(cuda.compilerVersion()));
  // Few programs use it: where it is not installed, that is not worth a line.
  const [{ version: installed } = {}] = nccl.findLibraries();
  if (installed !== undefined) add('ncclVersion', 'NCCL', () => installed);
  return facts;
}

function openclVersions(): readonly Fact[] {
  const platforms = cl.getPlatforms().map(({ name }) => name);
  return [{ key: 'platforms', label: 'platforms', value: platforms, text: platforms.join(', ') }];
}

function nvmlVersions(): readonly Fact[] {
  const fact = (key: string, label: string, value: string): Fact => ({ key, label, value, text: value });
  return [
    fact('driverVersion', 'driver', nvml.driverVersion()),
    fact('cudaVersion', 'for CUDA', nvml.cudaDriverVersion().join('.')),
    fact('nvmlVersion', 'NVML', nvml.nvmlVersion()),
  ];
}

function openclDevices(all: boolean): Described[] {
  return placedDevices().map((placed) => describeOpenCL(placed, all));
}

/** Whether CUDA does not run on the embedded device here, and may: it is shown besides then. */
function isElsewhere(env: IO['env']): boolean {
  // The other process has 'cpu': it must not ask another one in turn, also where its device does not start.
  if (env['RAWKERNEL_DEVICE'] === 'gpu' || env['RAWKERNEL_DEVICE'] === 'cpu') return false;
  try {
    return !new cuda.Device(0).isEmbedded;
  } catch {
    return true;
  }
}

/** A process has one CUDA driver: another process reports the embedded device. */
async function embeddedSection(all: boolean, io: IO): Promise<Section> {
  const base = { key: 'embedded', title: 'CUDA on the embedded CPU device', facts: [] };
  try {
    const argv = ['info', 'cuda', '--json', ...(all ? ['--all'] : [])];
    const answer = JSON.parse(await io.again(argv, { RAWKERNEL_DEVICE: 'cpu' })) as {
      readonly cuda: { readonly devices: readonly { readonly name: string }[] };
    };
    const devices = answer.cuda.devices.map((device) => {
      const known = Object.entries<unknown>(device);
      const rows = known.flatMap(([key, value]) => {
        const label = EMBEDDED_ROWS[key];
        return label === undefined ? [] : [[label, String(value)] as const];
      });
      return { id: 'cpu', name: device.name, rows, document: device };
    });
    return { ...base, devices };
  } catch (error) {
    return { ...base, devices: [], missing: messageOf(error) };
  }
}

/** The facts of the embedded device that are shown beside a GPU. */
const EMBEDDED_ROWS: Readonly<Record<string, string>> = {
  computeCapability: 'compute capability',
  multiprocessors: 'multiprocessors',
  warpSize: 'warp size',
  maxThreadsPerBlock: 'threads per block',
};

function sectionDocument({ facts, devices, missing }: Section): object {
  const known = Object.fromEntries(facts.map(({ key, value }) => [key, value]));
  return { ...known, devices: devices.map(({ document }) => document), ...(missing === undefined ? {} : { missing }) };
}

function show(sections: readonly Section[], paint: Paint): string {
  const head = `rawkernel ${VERSION}, Node.js ${process.version}, ${process.platform} ${process.arch}`;
  const parts = sections.map(({ title, facts, devices, missing }) => {
    const above = pairs(facts.map(({ label, text }) => [label, text]));
    const below = devices.map(({ id, name, rows }) => `\n${paint('cyan', id)}  ${paint('bold', name)}\n${pairs(rows)}`);
    const none = missing === undefined ? [] : [`  ${paint('yellow', missing)}`];
    return [paint('bold', title), ...(above === '' ? [] : [above]), ...none, ...below].join('\n');
  });
  return [paint('dim', head), ...parts].join('\n\n');
}
