#!/usr/bin/env node
import { run, wantsJson } from './command-line.ts';
import { runInChild } from './child-process.ts';
import { watchOutput } from './output-stream.ts';
import { surroundings } from './surroundings.ts';

const argv = process.argv.slice(2);
// The commands that compile have a line of their own.
process.env['RAWKERNEL_CPU_PROGRESS'] ??= '0';
watchOutput(process.stdout, 'stdout');
watchOutput(process.stderr, 'stderr');
process.exitCode =
  argv[0] === 'run' && wantsJson(argv) ? await runInChild(argv) : await run(argv, surroundings(process.stdout));
