import { Socket } from 'node:net';
import { run } from './command-line.ts';
import { watchOutput } from './output-stream.ts';
import { surroundings } from './surroundings.ts';

const document = new Socket({ fd: 3, readable: false, writable: true });
watchOutput(document, 'stdout');
watchOutput(process.stderr, 'stderr');
process.exitCode = await run(process.argv.slice(2), surroundings(document));
document.end();
