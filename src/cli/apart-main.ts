import { Socket } from 'node:net';
import { ignoreClosedPipe } from './closed-pipe.ts';
import { run } from './command-line.ts';
import { surroundings } from './surroundings.ts';

const document = new Socket({ fd: 3, readable: false, writable: true });
for (const stream of [document, process.stderr]) ignoreClosedPipe(stream);
process.exitCode = await run(process.argv.slice(2), surroundings(document));
document.end();
