import { createServer, type AddressInfo } from 'node:net';

/** Below the ports that systems give to clients: between a test's look and its use no connection of another test takes it. */
const [FIRST, COUNT] = [20_000, 12_000];

/** A TCP port of the loopback that is free. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await listenOnce(FIRST + Math.floor(Math.random() * COUNT));
    if (port !== undefined) return port;
  }
}

function listenOnce(asked: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(undefined));
    server.listen(asked, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
