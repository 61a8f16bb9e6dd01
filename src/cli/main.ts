#!/usr/bin/env node
import { ignoreClosedPipe } from './closed-pipe.ts';
import { run, wantsJson } from './command-line.ts';
import { runApart } from './apart.ts';
import { surroundings } from './surroundings.ts';

const argv = process.argv.slice(2);
for (const stream of [process.stdout, process.stderr]) ignoreClosedPipe(stream);
process.exitCode =
  argv[0] === 'run' && wantsJson(argv) ? await runApart(argv) : await run(argv, surroundings(process.stdout));
