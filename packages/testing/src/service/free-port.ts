import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const LOWEST = 20_000; // below are the well-known services, and ports that browsers refuse
const ABOVE = 32_000;

/**
 * A port of this host that nobody listens on, and that nobody takes by chance: it lies below those that the system gives
 * to connections and to whoever asks it for any port, and who asks here gets another one for as long as this process lives.
 * So a server may be given it late, and may go and come back to it.
 *
 * @throws Error when every one is taken
 */
export async function freePort(): Promise<number> {
  const above = Math.min(ABOVE, lowestGivenAway());
  const count = above - LOWEST;
  if (count <= 0) return await portOfAnyNumber();
  const first = Math.floor(Math.random() * count);
  for (let tried = 0; tried < count; tried += 1) {
    const port = LOWEST + ((first + tried) % count);
    if ((await isFree(port)) && (await isHeld(port))) return port;
  }
  throw new Error(`All ports from ${LOWEST} to ${above - 1} are taken.`);
}

async function isFree(port: number): Promise<boolean> {
  return (await listened(port)) !== null;
}

/** Holds the port of the same number of UDP, which nobody uses: one process after the other can have it, and all look there. */
async function isHeld(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  const bound = once(socket, 'listening').then(
    () => true,
    () => false,
  );
  socket.bind({ port, address: '127.0.0.1', exclusive: true });
  if (!(await bound)) return false;
  socket.unref();
  return true;
}

/** Where the system gives away all ports there is none that it spares. */
async function portOfAnyNumber(): Promise<number> {
  const port = await listened(0);
  if (port === null) throw new Error('The probe has no port.');
  return port;
}

/** Listens on a port for a moment. @returns which it was, null when it is taken */
async function listened(port: number): Promise<number | null> {
  const probe = createServer();
  const listening = once(probe, 'listening').then(
    () => true,
    () => false,
  );
  probe.listen(port, '127.0.0.1');
  if (!(await listening)) return null;
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return address === null || typeof address === 'string' ? null : address.port;
}

function lowestGivenAway(): number {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/)[0]);
  } catch {
    return ABOVE; // no Linux: others begin at 49152
  }
}
