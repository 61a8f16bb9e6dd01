import { inspect } from 'node:util';
import { Command, CommanderError, Option } from 'commander';
import { ARRAY_HELP } from './run/array-source.ts';
import { json, messageOf, painter, UsageError, type IO, type Outcome } from './output.ts';
import { VERSION } from './facts/package-facts.ts';
import { reportsOf } from './report-file.ts';
import { pairs } from './table.ts';

/** What every command takes. */
interface Common {
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/** A command: its arguments and options, and what surrounds it. Nothing comes back where it has said all itself. */
type Action = (args: readonly string[], options: never, io: IO) => Promise<Outcome | undefined>;

/**
 * Run the command line.
 *
 * @param argv - without Node.js and the script
 * @returns the exit code: 0, 1 where the work failed, 2 where the command was not understood
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
  /** How many words come behind `--`. */
  readonly behind: number;
}

/** What a command hands to the compiler comes behind `--`: a word before it is a mistake, such as a size without its option. */
function checkOperands({ args, registeredArguments }: Command, behind: number): void {
  const fixed = registeredArguments.filter(({ variadic }) => !variadic).length;
  if (fixed === registeredArguments.length || args.length - fixed <= behind) return;
  throw new UsageError(`'${args[fixed]}' is one word too many; options for the compiler come behind --`);
}

function build(io: IO, state: State): Command {
  const program = new Command('rawkernel')
    .description('CUDA and OpenCL kernels from the shell: what is here, does it work, how fast is it, compile, run')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
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
      '\nExit codes: 0 fine, 1 the work failed or there is no device for it, 2 wrong usage.\nRAWKERNEL_DEVICE=cpu takes the embedded CPU device, gpu never does.',
    );
  const add = (usage: string, description: string, load: () => Promise<Action>): Command =>
    program
      .command(usage)
      .description(description)
      .option('--json', 'print one JSON document')
      .option('--verbose', 'show where an error came from')
      .action(async (...given: unknown[]) => {
        const command = given.at(-1) as Command;
        const options = command.opts<Common>();
        checkOperands(command, state.behind);
        const action = await loaded(load);
        state.code = print(await action(command.args, options as never, io), options, io);
      });

  add('info [what]', 'show the devices, with the limits that matter for kernels', async () => {
    return (await import('./facts/info.ts')).info;
  })
    .option('--all', 'with every attribute and extension')
    .addHelpText('after', '\nWHAT is cuda or opencl; both by default.');

  add('doctor [what]', 'show what is installed and what is missing; run a kernel on each device', async () => {
    return (await import('./doctor/doctor.ts')).doctor;
  }).addHelpText(
    'after',
    '\nWHAT is cuda or opencl; both by default. Exit code 1: something installed does not work,\nor no device can run a kernel.',
  );

  add('top', 'show what the GPUs do, live: load, memory, temperature, power, clocks, processes', async () => {
    return (await import('./top/top.ts')).top;
  })
    .option('--once', 'one reading, and end')
    .option('--interval <seconds>', 'between readings, 0.1 to 3600', '1')
    .option('--count <n>', 'end after so many readings')
    .option('--device <device>', 'which GPUs: indices, UUIDs or PCI bus ids, with commas between (default: all)')
    .option('--csv <file>', "write a line for each GPU and reading too; '-': to stdout, and nothing else")
    .addHelpText(
      'after',
      '\nq, ESC and Ctrl-C end it. Where stdout is not a terminal: a line for each GPU and reading.\n--json without --once prints a document in a line for each reading.',
    );

  compileOptions(
    add('compile <file> [options...]', 'compile CUDA C++ or OpenCL C, and list the kernels', async () => {
      return (await import('./compile/compile.ts')).compile;
    }),
  )
    .option('--ptx', 'make PTX')
    .option('--cubin', "make a GPU's machine code")
    .option('--lto-ir', 'make LTO IR, for nvJitLink')
    .option('--wasm', 'make the WebAssembly that the embedded CPU device runs')
    .option('--binary', "make the OpenCL driver's binary")
    .option('-o, --output <file>', "where to; '-' is stdout (default: the source's name with another suffix)")
    .option('--arch <arch>', 'for which GPUs: sm_90, compute_90, 90 (default: the first GPU)')
    .option('--device <device>', 'OpenCL: for which device, as platform[:device], each an index or part of a name')
    .addHelpText(
      'after',
      '\nWhat follows -- goes to the compiler as it is: rawkernel compile a.cu --ptx -- --use_fast_math',
    );

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
      ['2.5:f32', 'a number of that type, where the parameter is not known'],
      ['null', 'a null pointer'],
      ['local:1024', 'OpenCL: bytes of local memory'],
      ...ARRAY_HELP,
    ])}\nTypes: i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 f64\n\nExample:\n  rawkernel run saxpy.cu saxpy --grid 4 --block 256 --arg 2 --arg range:0:1024:f32 --arg ones:1024:f32 --arg 1024 --out 2`,
  );

  add('bench [what]', 'measure bandwidth and launch cost, in some ten seconds', async () => {
    return (await import('./bench/bench.ts')).bench;
  })
    .option('--seconds <n>', 'for the whole of it', '10')
    .addHelpText('after', '\nWHAT is cuda or opencl; both by default.');
  return program;
}

function compileOptions(command: Command): Command {
  return command
    .addOption(new Option('--language <name>', 'instead of by the suffix').choices(['cuda', 'opencl']))
    .option('-D, --define <macro[=value]>', 'define a macro', collect)
    .option('-I, --include <folder>', 'look for headers there', collect)
    .option('--std <version>', 'the language: c++17, CL2.0');
}

function runOptions(command: Command): Command {
  return command
    .option('--grid <x,y,z>', 'CUDA: blocks of the grid (default: 1)')
    .option('--block <x,y,z>', 'CUDA: threads of a block')
    .option('--shared <bytes>', 'CUDA: dynamic shared memory of a block')
    .option('--global <x,y,z>', 'OpenCL: work-items')
    .option('--local <x,y,z>', 'OpenCL: work-items of a group')
    .option('-a, --arg <value>', 'an argument; once for each', collect)
    .option('--out <argument>', 'print an array after the launch, by its index or name', collect)
    .option('--save <argument=file>', 'write an array to FILE.npy, or to a file of its elements', collect)
    .option('--limit <n>', 'elements that --out prints; 0: all', '32')
    .option('--check', "look at every access, in the embedded CPU device's checked mode")
    .option('--check-svg <file>', 'draw the first report into a file; implies --check')
    .option('--time', 'measure the launch with events')
    .option('--repeat <n>', 'launches that --time measures (default: 10)')
    .option('--device <device>', 'CUDA: a number or PCI bus id; OpenCL: platform[:device]; cpu: the embedded one');
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
    throw new Error(`koffi does not load, through which native libraries are called\n${advice}\n${messageOf(error)}`, {
      cause: error,
    });
  }
}

function print(outcome: Outcome | undefined, options: Common, io: IO): number {
  if (outcome === undefined) return 0;
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

/** Whether there is a `--json`; what follows `--` is not ours. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).includes('--json');
}

function plainMessage(error: CommanderError): string {
  return error.message.replace(/^error: /, '');
}
