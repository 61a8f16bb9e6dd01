import { parseDiagnostics, type Diagnostic } from '../../core/diagnostics.ts';
import { cl } from '../call.ts';
import type { Device } from '../device/device.ts';
import { BuildError, openclError, SOURCE_NAME, type OpenCLError } from '../errors.ts';
import { readString } from '../info.ts';
import type { RawProgram } from './raw-program.ts';
import { ProgramBuildInfo, status as statuses } from '../sys/enums.ts';

// PoCL writes the severity before the place.
const SEVERITY_FIRST = /^((?:fatal )?error|warning|note): (\S.*?:\d+:\d+): /gm;

/** The compiler's log by device, for devices with a log. */
export function readLogs(program: RawProgram, devices: readonly Device[]): Map<string, string> {
  const logs = new Map<string, string>();
  devices.forEach((device, i) => {
    const log = readString(cl.clGetProgramBuildInfo.bind(undefined, program, device.raw), ProgramBuildInfo.LOG[0]);
    if (log === '') return;
    const { name } = device;
    logs.set(logs.has(name) ? `${name} #${i}` : name, log);
  });
  return logs;
}

/** Statuses that are about the source or the options of a build. */
export const BUILD_FAILURES: readonly number[] = [
  statuses.CL_BUILD_PROGRAM_FAILURE[0],
  statuses.CL_COMPILER_NOT_AVAILABLE[0],
  statuses.CL_INVALID_BUILD_OPTIONS[0],
];

/** The same, with those of compiling and linking. */
const MAKING_FAILURES: readonly number[] = [
  ...BUILD_FAILURES,
  statuses.CL_COMPILE_PROGRAM_FAILURE[0],
  statuses.CL_LINK_PROGRAM_FAILURE[0],
  statuses.CL_INVALID_COMPILER_OPTIONS[0],
  statuses.CL_INVALID_LINKER_OPTIONS[0],
];

/** The logs of a build step, or its error. */
export function checkedLogs(
  routine: string,
  raw: RawProgram,
  status: number,
  { devices, source, options }: { devices: readonly Device[]; source: string; options: string },
): ReadonlyMap<string, string> {
  const logs = readLogs(raw, devices);
  if (status === 0) return logs;
  if (logs.size === 0 && !MAKING_FAILURES.includes(status)) throw openclError(routine, status);
  throw buildFailure(routine, status, logs, source, options);
}

/** The error where the driver made no program, so that there is no log. */
export function withoutLog(routine: string, status: number, options: string): OpenCLError {
  if (!MAKING_FAILURES.includes(status)) return openclError(routine, status);
  return buildFailure(routine, status, new Map(), '', options);
}

/** The error of a build that failed. */
export function buildFailure(
  routine: string,
  status: number,
  logs: ReadonlyMap<string, string>,
  source: string,
  options: string,
): BuildError {
  const diagnostics = [...logs.values()]
    .map((log) => parseDiagnostics(log.replace(SEVERITY_FIRST, '$2: $1: '), source))
    .find((found) => found.some(({ severity }) => severity === 'error'));
  const own = (diagnostics ?? []).map((diagnostic) => inSource(diagnostic, source));
  return new BuildError(routine, status, { logs, diagnostics: own, source, options });
}

/** Drivers compile a file that they make themselves: a file that the source does not include is the source. */
function inSource(diagnostic: Diagnostic, source: string): Diagnostic {
  const { file } = diagnostic;
  if (file === undefined) return diagnostic;
  const base = file.split(/[\\/]/).at(-1) ?? file;
  return source.includes('include') && source.includes(base) ? diagnostic : { ...diagnostic, file: SOURCE_NAME };
}

/** NVIDIA's compiler, asked for argument info, writes PTX for a kernel without parameters that its assembler refuses. */
export function refusedByAssembler(logs: ReadonlyMap<string, string>): boolean {
  return [...logs.values()].some((log) => log.includes('ptxas'));
}
