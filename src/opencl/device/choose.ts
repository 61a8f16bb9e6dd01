import { readSync } from 'node:fs';
import { contextVariable } from '../../core/environment.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import { Context, type ContextOptions } from './context.ts';
import type { Device, Platform } from './device.ts';
import { getPlatforms } from './platforms.ts';
import { isEmbedded } from '../selection.ts';
import { sayEmbedded } from '../stand-in-notice.ts';
import { DeviceType } from '../sys/enums.ts';

/** How {@link createSomeContext} finds its devices. */
export interface ChooseOptions {
  /** Ask on the terminal where there is a choice. Default: whether stdin and stderr are terminals. */
  readonly interactive?: boolean;
  /** The answers, instead of RAWKERNEL_CTX: `['pocl']`, `['0', '1']`, `['nvidia', '0,1']`. */
  readonly answers?: readonly string[];
}

const VARIABLE = 'RAWKERNEL_CTX';
const INSTALL = [
  'No OpenCL device was found. What to do:',
  '  - on Debian or Ubuntu, for the CPU: apt-get install pocl-opencl-icd',
  '  - on Fedora, for the CPU: dnf install pocl',
  "  - for a GPU: install its vendor's driver; the file in OpenCL/vendors names it to the loader",
  '  - or without any of them: RAWKERNEL_DEVICE=cpu runs OpenCL on the embedded CPU device',
].join('\n');
const UNCHECKED =
  'Only the embedded CPU device has a checked mode, and RAWKERNEL_DEVICE=gpu hides it; ' +
  'oclgrind node program.mjs makes some of its checks on any machine that has oclgrind';

/**
 * Make a context on the device that suits best.
 *
 * `RAWKERNEL_CTX="platform[:device[,device]]"` decides, each by its index or by a part of its name. Without it, a
 * program on a terminal asks where there is a choice; any other takes a GPU, or else the first CPU. The embedded CPU
 * device is taken where it is asked for, where `check` is asked for, which no other device has, or where there is no other
 * device; a line on stderr then says so.
 *
 * Host: blocks while it asks.
 *
 * @throws Error no device is there, or none matches
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * console.log(ctx.devices[0]?.name);
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCreateContext.html | clCreateContext}
 */
export function createSomeContext(options: ChooseOptions & ContextOptions = {}): Context {
  checkOptions(options, ['interactive', 'answers', 'check'], 'createSomeContext');
  const { check, ...choose } = options;
  const checked = check !== undefined && check !== false;
  return new Context(choices(choose, checked), check === undefined ? {} : { check });
}

/**
 * The devices that {@link createSomeContext} would take.
 *
 * @throws Error no device is there, or none matches
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * for (const device of cl.chooseDevices({ interactive: false })) console.log(device.name);
 * ```
 */
export function chooseDevices(options: ChooseOptions = {}): Device[] {
  checkOptions(options, ['interactive', 'answers'], 'chooseDevices');
  return choices(options, false);
}

/** @param checked - no other device than the embedded one has checks */
function choices(options: ChooseOptions, checked: boolean): Device[] {
  const platforms = getPlatforms();
  const installed = choicesOf(platforms.filter(({ raw }) => !isEmbedded(raw)));
  // A program that has another device and does not ask for checks never loads the embedded device.
  const embedded = (): Choice[] => choicesOf(platforms.filter(({ raw }) => isEmbedded(raw)));
  const answers = readAnswers(options.answers) ?? contextVariable();
  if (answers.length > 0) return byAnswers(installed, embedded, answers, options.answers ? 'answers' : VARIABLE);
  const offered = installed.length > 0 && !checked ? installed : embedded();
  if (offered.length === 0) throw new Error(checked ? UNCHECKED : INSTALL);
  if (installed.length === 0) sayEmbedded();
  if (options.interactive ?? (process.stdin.isTTY && process.stderr.isTTY)) return byAsking(offered);
  return [best(offered.flatMap(({ devices }) => devices))];
}

function readAnswers(answers: unknown): readonly string[] | undefined {
  if (answers === undefined) return undefined;
  if (Array.isArray(answers) && [...(answers as unknown[])].every((answer) => typeof answer === 'string')) {
    return answers as string[];
  }
  const wrong: unknown = Array.isArray(answers) ? answers.find((answer) => typeof answer !== 'string') : answers;
  throw new TypeError(`answers must be an array of strings, such as ['0', '1'], got ${nameOf(wrong)}`);
}

interface Choice {
  readonly platform: Platform;
  readonly devices: readonly Device[];
}

function choicesOf(platforms: readonly Platform[]): Choice[] {
  return platforms
    .map((platform) => ({ platform, devices: platform.getDevices() }))
    .filter(({ devices }) => devices.length > 0);
}

function byAnswers(
  installed: readonly Choice[],
  embedded: () => readonly Choice[],
  answers: readonly string[],
  from: string,
): Device[] {
  const [platformAnswer = '', deviceAnswer = '', ...rest] = answers;
  if (rest.length > 0) {
    throw new Error(`${from} has the form platform[:device[,device]]; '${answers.join(':')}' has more parts`);
  }
  const choices = find(namesOf(installed), platformAnswer) === undefined ? [...installed, ...embedded()] : installed;
  if (choices.length === 0) throw new Error(INSTALL);
  const { devices } = choices[match(namesOf(choices), platformAnswer, `${from}: platform`)] as Choice;
  if (deviceAnswer.trim() === '') return [best(devices)];
  const deviceNames = devices.map((device) => device.name);
  const picked = deviceAnswer.split(',').map((part) => devices[match(deviceNames, part, `${from}: device`)] as Device);
  return [...new Set(picked)];
}

function namesOf(choices: readonly Choice[]): string[] {
  return choices.map(({ platform }) => platform.name);
}

/** The index that an answer stands for; an answer that is not an index is a part of a name, in any case of letters. */
function find(names: readonly string[], answer: string): number | undefined {
  const text = answer.trim();
  if (/^\d+$/.test(text) && Number(text) < names.length) return Number(text);
  const found = names.findIndex((name) => name.toLowerCase().includes(text.toLowerCase()));
  return found < 0 ? undefined : found;
}

function match(names: readonly string[], answer: string, what: string): number {
  const found = find(names, answer);
  if (found !== undefined) return found;
  const list = names.map((name, i) => `  ${i}  ${name}`).join('\n');
  throw new Error(`${what} '${answer.trim()}' matches nothing; there is\n${list}`);
}

function best(devices: readonly Device[]): Device {
  const isA = (type: number) => (device: Device) => (device.type & type) !== 0;
  const device = devices.find(isA(DeviceType.GPU)) ?? devices.find(isA(DeviceType.CPU)) ?? devices[0];
  return device as Device;
}

function byAsking(choices: readonly Choice[]): Device[] {
  const answers: string[] = [];
  const names = namesOf(choices);
  const at = names.length > 1 ? ask('platform', names, answers) : 0;
  const { devices } = choices[at] as Choice;
  const deviceNames = devices.map((device) => device.name);
  if (answers.length === 0) answers.push(String(at));
  const device = devices.length > 1 ? ask('device', deviceNames, answers) : 0;
  if (names.length > 1 || devices.length > 1) {
    process.stderr.write(`Set ${VARIABLE}='${answers.join(':')}' to be asked no more\n`);
  }
  return [devices[device] as Device];
}

function ask(what: string, names: readonly string[], answers: string[]): number {
  process.stderr.write(`Choose a ${what}:\n${names.map((name, i) => `  ${i}  ${name}`).join('\n')}\n`);
  for (;;) {
    process.stderr.write('Number or part of the name [0]: ');
    const line = readLine();
    const answer = line?.trim() || '0';
    try {
      const found = match(names, answer, `The ${what}`);
      answers.push(String(found));
      return found;
    } catch (error) {
      if (line === undefined) throw error;
      process.stderr.write(`${String(error)}\n`);
    }
  }
}

/** Wait for one line of stdin; undefined at its end. */
function readLine(): string | undefined {
  const bytes: number[] = [];
  const byte = new Uint8Array(1);
  for (;;) {
    let count: number;
    try {
      count = readSync(0, byte);
    } catch (error) {
      // A terminal that another part of the process reads is non-blocking: there is no input yet.
      if ((error as { code?: unknown }).code !== 'EAGAIN') return undefined;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      continue;
    }
    if (count === 0) return bytes.length > 0 ? Buffer.from(bytes).toString() : undefined;
    if (byte[0] === 10) return Buffer.from(bytes).toString();
    bytes.push(byte[0] ?? 0);
  }
}
