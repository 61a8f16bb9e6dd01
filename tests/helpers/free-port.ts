import { createServer } from 'node:net';

/** Below the ports that systems give to clients: between a test's look and its use no connection of another test takes it. */
const [FIRST, COUNT] = [20_000, 12_000];

/** A TCP port of the loopback that is free. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
