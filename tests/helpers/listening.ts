import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

const LISTEN = '0A';

/**
 * The TCP ports of this machine at which programs listen, by the inodes of their sockets, where the system has /proc. A port may be
 * given to another program at once, an inode tells the one from the other.
 */
export function listening(): ReadonlyMap<string, number> {
  try {
    const lines = readFileSync('/proc/self/net/tcp', 'utf8').split('\n').slice(1);
    const rows = lines.map((line) => line.trim().split(/\s+/));
    return new Map(
      rows.flatMap(([, local = '', , state, , , , , , inode = '']) =>
        state === LISTEN ? [[inode, parseInt(local.slice(local.indexOf(':') + 1), 16)] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}

/** The inodes of the sockets at which this process listens. */
export function ownListening(): readonly string[] {
  const all = listening();
  const own = all.size === 0 ? [] : readdirSync('/proc/self/fd').map((fd) => linkOf(`/proc/self/fd/${fd}`));
  return [...all.keys()].filter((inode) => own.includes(`socket:[${inode}]`));
}

/** '' for one that has been closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
