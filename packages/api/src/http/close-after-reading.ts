import type { Duplex } from 'node:stream';

const LINGER_MS = 5_000; // as long as nginx waits for more, https://nginx.org/en/docs/http/ngx_http_core_module.html#lingering_timeout

/**
 * Ends a connection whose client may still be sending. To close it on bytes that nobody has read resets it, and with that is lost
 * what is on its way to the client: so the bytes are dropped as they come, until the client has ended too, or for five seconds.
 *
 * @param lastWords the answer that the client is to read to its end
 */
export function closeAfterReading(socket: Duplex, lastWords: string): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.once('end', () => socket.destroy());
  // Node's parser is one of those who listen, and would begin what comes.
  socket.removeAllListeners('data').on('data', () => undefined);
  socket.end(lastWords);
  socket.resume();
}
