import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

const MIN_PORT = 20_000; // below are the well-known services, and ports that browsers refuse
const ABOVE = 32_000; // from 32768 on Linux assigns them to connections and to binds to port 0

/**
 * A port of this host that is free, and that no program takes by chance: it is outside the range that the system assigns
 * away by itself, and who asks here gets another one for as long as this process lives. So a server may be given it late,
 * and may go and come back to it.
 *
 * @throws Error when every one is taken
 */
export async function freePort(): Promise<number> {
  const count = ABOVE - MIN_PORT;
  const first = Math.floor(Math.random() * count);
  for (let tried = 0; tried < count; tried += 1) {
    const port = MIN_PORT + ((first + tried) % count);
    if ((await isFree(port)) && (await isHeld(port))) return port;
  }
  throw new Error(`All ports from ${MIN_PORT} to ${ABOVE - 1} are taken.`);
}

/** Listens on it for a moment. */
async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const listening = once(probe, 'listening').then(
    () => true,
    () => false,
  );
  probe.listen(port, '127.0.0.1');
  if (!(await listening)) return false;
  probe.close();
  await once(probe, 'close');
  return true;
}

/** Locks the UDP port of the same number, which is otherwise unused: test processes then never choose the same one. */
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
