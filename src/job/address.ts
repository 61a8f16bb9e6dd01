import { isIP } from 'node:net';
import { StoreError } from './errors.ts';

/** Whether an address reaches this machine's own processes and no others. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  if (isIP(host) === 4) return host.startsWith('127.');
  return isIP(host) === 6 && /^(?:::1|(?:0+:){7}0*1|::ffff:127\..*)$/i.test(host);
}

/**
 * Where a server listens so that clients reach it at a host of this machine. The machine's own tables may have its name as
 * one of the loopback, so beyond that all addresses are listened at; those of IPv6 have those of IPv4 among them.
 */
export function listenAddress(host: string): string {
  if (isLoopback(host)) return host;
  return isIP(host) === 6 ? '::' : '0.0.0.0';
}

/** An address and a port, as URLs have them. */
export function hostAndPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The reasons of a server that cannot listen. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there: choose another port with MASTER_PORT',
  EACCES: 'this user may not listen there: choose a port above 1023 with MASTER_PORT',
  EADDRNOTAVAIL: 'the address is not one of this machine: set MASTER_ADDR to the host of rank 0',
  ENOTFOUND: 'the name is unknown: set MASTER_ADDR to the host of rank 0',
};

/** A server that cannot listen. */
export function cannotListen(host: string, port: number, cause: unknown): StoreError {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const where = hostAndPort(host, port);
  const text = `The store cannot listen at ${where}: ${REASONS[code] ?? message} (${code})`;
  return new StoreError('ERR_RAWKERNEL_STORE_ADDRESS', text, { cause });
}
