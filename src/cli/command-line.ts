import { inspect } from 'node:util';
import { Command, CommanderError, Option } from 'commander';
import { ARRAY_HELP } from './run/array-source.ts';
import { json, messageOf, painter, UsageError, type IO, type Outcome } from './output.ts';
import { VERSION } from './facts/package-facts.ts';
import { reportsOf } from './report-file.ts';
import { pairs } from './table.ts';

/** Options of every command. */
interface Common {
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/** A command. Where it has printed everything itself, the result is undefined, or an exit code. */
type Action = (args: readonly string[], options: never, io: IO) => Promise<Outcome | number | undefined>;

/**
 * Run the command line.
 *
 * @param argv - without Node.js and the script
 * @returns the exit code: 0 for success, 1 for a failure, 2 for wrong usage
 */
export async function run(argv: readonly string[], io: IO): Promise<number> {
  const end = argv.indexOf('--');
  const state: State = { code: 0, behind: end < 0 ? 0 : argv.length - end - 1 };
  const program = build(io, state);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return state.code;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      if (wantsJson(argv)) io.stdout.write(json({ error: { name: 'UsageError', message: plainMessage(error) } }));
      return 2;
    }
    tell(error, argv, io);
    return error instanceof UsageError ? 2 : 1;
  }
}

interface State {
  /** The exit code. */
  code: number;
  /** The number of arguments after `--`. */
  readonly behind: number;
}

/** Compiler options follow `--`. An extra argument before it is a mistake, such as a size without its option. */
function checkOperands({ args, registeredArguments }: Command, behind: number): void {
  if (['files', 'args'].includes(registeredArguments.at(-1)?.name() ?? '')) return;
  const fixed = registeredArguments.filter(({ variadic }) => !variadic).length;
  if (fixed === registeredArguments.length || args.length - fixed <= behind) return;
  throw new UsageError(`unexpected argument '${args[fixed]}'; options for the compiler follow --`);
}

/** All commands, one after the other in the order of the help. It is longer than other functions because it is a list. */
function build(io: IO, state: State): Command {
  const program = new Command('rawkernel')
    .description('Inspect devices, diagnose, benchmark, compile and run CUDA and OpenCL kernels')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 1 failure or no suitable device, 2 wrong usage.\nRAWKERNEL_DEVICE=cpu selects the embedded CPU device, gpu excludes it.',
    );
  const add = (usage: string, description: string, load: () => Promise<Action>): Command =>
    withJson(program.command(usage).description(description))
      .option('--verbose', 'print the stack trace of an error')
      .action(async (...given: unknown[]) => {
        const command = given.at(-1) as Command;
        const options = command.opts<Common>();
        checkOperands(command, state.behind);
        const action = await loaded(load);
        state.code = print(await action(command.args, options as never, io), options, io);
      });

  add('info [what]', 'list the devices and their limits for kernels', async () => {
    return (await import('./facts/info.ts')).info;
  })
    .option('--all', 'include every attribute and extension')
    .addHelpText('after', '\nWHAT is cuda or opencl; both by default.');

  add('doctor [what]', 'check the installation and run a kernel on each device', async () => {
    return (await import('./doctor/doctor.ts')).doctor;
  }).addHelpText(
    'after',
    '\nWHAT is cuda or opencl; both by default. Exit code 1: something installed does not work,\nor no device can run a kernel.',
  );

  add('top', 'monitor the GPUs: load, memory, temperature, power, clocks, processes', async () => {
    return (await import('./top/top.ts')).top;
  })
    .option('--once', 'print one reading and exit')
    .option('--interval <seconds>', 'time between readings, 0.1 to 3600', '1')
    .option('--count <n>', 'exit after n readings')
    .option('--device <device>', 'GPUs: indices, UUIDs or PCI bus ids, separated by commas (default: all)')
    .option('--csv <file>', "also write one line per GPU and reading; '-': to stdout only")
    .addHelpText(
      'after',
      '\nq, ESC and Ctrl-C quit. If stdout is not a terminal: one line per GPU and reading.\n--json without --once prints one line of JSON per reading.',
    );

  compileOptions(
    add('compile <file> [options...]', 'compile CUDA C++ or OpenCL C and list the kernels', async () => {
      return (await import('./compile/compile.ts')).compile;
    }),
  )
    .option('--ptx', 'generate PTX')
    .option('--cubin', 'generate machine code for a GPU')
    .option('--lto-ir', 'generate LTO IR for nvJitLink')
    .option('--wasm', 'generate the WebAssembly of the embedded CPU device')
    .option('--binary', 'generate a binary of the OpenCL driver')
    .option('-o, --output <file>', "output file; '-' is stdout (default: the source's name with another suffix)")
    .option('--arch <arch>', 'target architecture: sm_90, compute_90, 90 (default: the first GPU)')
    .option('--device <device>', 'OpenCL: target device, platform[:device], each an index or part of a name')
    .addHelpText(
      'after',
      '\nArguments after -- are passed to the compiler unchanged: rawkernel compile a.cu --ptx -- --use_fast_math',
    );

  compileOptions(
    add('types <files...>', 'write TypeScript declarations beside sources of kernels', async () => {
      return (await import('./types/write-types.ts')).writeTypes;
    }),
  )
    .option(
      '-n, --name <instance>',
      "CUDA: declare an instance of a template, 'scale<float>'; repeat for each",
      collect,
    )
    .option('--check', 'write nothing; exit code 1 if a declaration file is missing or stale')
    .option('--device <device>', 'OpenCL: target device, platform[:device], each an index or part of a name')
    .addHelpText('after', '\nsaxpy.cu gets saxpy.cu.d.ts: SourceModule.fromFile and Program.fromFile are typed by it.');

  runOptions(
    compileOptions(
      add('run <file> <kernel> [options...]', 'launch one kernel: .cu, .ptx, .cubin, .fatbin or .cl', async () => {
        return (await import('./run/run.ts')).runKernel;
      }),
    ),
  ).addHelpText(
    'after',
    `\nArguments, in the kernel's order:\n${pairs([
      ['3, 0x10, 1.5, inf, true', "a number, converted to the parameter's type"],
      ['1,2,3,4', 'a vector, such as float4'],
      ['2.5:f32', 'a number of that type, if the parameter type is unknown'],
      ['null', 'a null pointer'],
      ['local:1024', 'OpenCL: local memory of 1024 bytes'],
      ...ARRAY_HELP,
    ])}\nTypes: i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64\n\nExample:\n  rawkernel run saxpy.cu saxpy --grid 4 --block 256 --arg 2 --arg range:0:1024:f32 --arg ones:1024:f32 --arg 1024 --out 2`,
  );

  add(
    'launch <program> [args...]',
    'start the ranks of a job: one process per GPU, on one machine or several',
    async () => {
      return (await import('./launch/launch.ts')).launch;
    },
  )
    .passThroughOptions()
    .option('-n, --processes <n>', 'ranks on this machine')
    .option('--devices <list>', 'GPUs of the ranks, with commas between: sets CUDA_VISIBLE_DEVICES; one rank each')
    .option('--nnodes <k>', 'number of machines; run the command on each')
    .option('--node-rank <r>', 'which of them this is, from 0')
    .option('--rdzv <host:port>', 'where the machines meet: an address of node 0')
    .option('--restarts <n>', 'after a failure, start all ranks again, n times at most', '0')
    .option('--time-out <seconds>', 'end the job after this time')
    .addHelpText('after', LAUNCH_HELP);

  add('bench [what]', 'measure bandwidth and launch cost in about ten seconds', async () => {
    return (await import('./bench/bench.ts')).bench;
  })
    .option('--seconds <n>', 'total time', '10')
    .addHelpText('after', '\nWHAT is cuda or opencl; both by default.');
  return program;
}

const LAUNCH_HELP = `
Options before PROGRAM are for launch, those behind it for the program. A rank has RANK, WORLD_SIZE, LOCAL_RANK,
LOCAL_WORLD_SIZE, MASTER_ADDR, MASTER_PORT, and all variables of this process. --nnodes needs RAWKERNEL_JOB_TOKEN.
The first rank that fails ends the others; the exit code is its own, 128 + n for signal n, 124 for --time-out.

Example:
  rawkernel launch -n 4 train.ts --epochs 10`;

function compileOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--language <name>', 'source language (default: from the suffix)').choices(['cuda', 'opencl']),
    )
    .option('-D, --define <macro[=value]>', 'define a macro', collect)
    .option('-I, --include <folder>', 'add a folder of headers', collect)
    .option('--std <version>', 'language version: c++17, CL2.0');
}

function runOptions(command: Command): Command {
  return command
    .option('--grid <x,y,z>', 'CUDA: grid size in blocks (default: 1)')
    .option('--block <x,y,z>', 'CUDA: block size in threads')
    .option('--shared <bytes>', 'CUDA: dynamic shared memory per block')
    .option('--global <x,y,z>', 'OpenCL: global size in work-items')
    .option('--local <x,y,z>', 'OpenCL: work-group size in work-items')
    .option('-a, --arg <value>', 'a kernel argument; repeat for each', collect)
    .option('--out <argument>', 'print an array after the launch, by index or name', collect)
    .option('--save <argument=file>', 'write an array to FILE.npy, or its elements to any other file', collect)
    .option('--limit <n>', 'maximum number of elements that --out prints; 0: all', '32')
    .option('--check', 'check every access on the embedded CPU device')
    .option('--check-svg <file>', 'draw the first report as an SVG file; implies --check')
    .option('--time', 'measure the launch with events')
    .option('--repeat <n>', 'number of launches that --time measures (default: 10)')
    .option('--device <device>', 'CUDA: ordinal or PCI bus id; OpenCL: platform[:device]; cpu: the embedded device');
}

/** `launch` has no document: its output is that of its ranks. */
function withJson(command: Command): Command {
  return command.name() === 'launch' ? command : command.option('--json', 'print one JSON document');
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

async function loaded(load: () => Promise<Action>): Promise<Action> {
  try {
    return await load();
  } catch (error) {
    if (!/koffi/i.test(messageOf(error))) throw error;
    const advice = 'install the package without --omit=optional: koffi comes prebuilt as an optional package';
    throw new Error(`koffi, which calls native libraries, does not load\n${advice}\n${messageOf(error)}`, {
      cause: error,
    });
  }
}

function print(outcome: Outcome | number | undefined, options: Common, io: IO): number {
  if (outcome === undefined || typeof outcome === 'number') return outcome ?? 0;
  if (outcome.bytes) {
    io.stdout.write(outcome.bytes);
    io.stderr.write(`${outcome.text(painter(io.stderr, io.env))}\n`);
  } else if (options.json === true) io.stdout.write(json(outcome.document));
  else io.stdout.write(`${outcome.text(painter(io.stdout, io.env))}\n`);
  return outcome.code ?? 0;
}

function tell(error: unknown, argv: readonly string[], io: IO): void {
  const { name, code, stack } = error as { name?: string; code?: unknown; stack?: string };
  const verbose = argv.includes('--verbose') || (io.env['RAWKERNEL_TRACE'] ?? '') !== '';
  const reports = reportsOf(error);
  const found = reports.length > 0 ? { reports } : {};
  if (wantsJson(argv)) io.stdout.write(json({ error: { name, code, message: messageOf(error), ...found } }));
  const paint = painter(io.stderr, io.env);
  const colors = paint('red', '') !== '';
  const plain = verbose && stack !== undefined ? stack : messageOf(error);
  const shown = reports.reduce<string>((text, one) => text.replace(String(one), () => inspect(one, { colors })), plain);
  io.stderr.write(`${paint('red', 'error:')} ${shown}\n`);
}

/** Whether `--json` is among the options; arguments after `--` belong to the compiler. */
export function wantsJson(argv: readonly string[]): boolean {
  // Its own output is that of its ranks, and their program may have an option of this name.
  if (argv[0] === 'launch') return false;
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json');
}

function plainMessage(error: CommanderError): string {
  return error.message.replace(/^error: /, '');
}
