import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';

/** A TCP socket at which a program listens. A port may be given to another program at once: the inode tells the one from the other. */
export interface Listener {
  readonly port: number;
  /** Undefined where the system has no /proc. */
  readonly inode: string | undefined;
}

const LISTEN = '0A';

/** Those of a port; without /proc it is taken for granted that there is one. */
export function listenersAt(port: number): readonly Listener[] {
  return all()?.filter((listener) => listener.port === port) ?? [{ port, inode: undefined }];
}

/** Those of this process, where the system has /proc. */
export function ownListeners(): readonly Listener[] {
  const listeners = all();
  if (listeners === undefined) return [];
  const own = new Set(readdirSync('/proc/self/fd').map((fd) => linkOf(`/proc/self/fd/${fd}`)));
  return listeners.filter(({ inode }) => own.has(`socket:[${inode}]`));
}

/** Whether it is still there. */
export async function isListening({ port, inode }: Listener): Promise<boolean> {
  if (inode !== undefined) return listenersAt(port).some((listener) => listener.inode === inode);
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1').on('error', () => resolve(false));
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function all(): readonly Listener[] | undefined {
  let table: string;
  try {
    table = readFileSync('/proc/self/net/tcp', 'utf8');
  } catch {
    return undefined;
  }
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/));
  return rows.flatMap(([, local = '', , state, , , , , , inode]) =>
    state === LISTEN ? [{ port: parseInt(local.slice(local.indexOf(':') + 1), 16), inode }] : [],
  );
}

/** '' for one that has been closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
