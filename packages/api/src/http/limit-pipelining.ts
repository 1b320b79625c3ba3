import type { RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Clients that pipeline at all send a few requests ahead. */
const MAX_WAITING = 100;

/**
 * Answers the first hundred requests that wait on one connection, then closes it. Node would begin all requests of a
 * packet, a thousand and more, in one turn of the event loop. Its `maxRequestsPerSocket` counts every request of a
 * connection instead of those that wait, and refuses without a body.
 */
export function limitPipelining(answer: RequestListener): RequestListener {
  const lines = new WeakMap<Duplex, { waiting: number; last: ServerResponse; isFull: boolean }>();
  return (req, res) => {
    const { socket } = req;
    const line = lines.get(socket) ?? { waiting: 0, last: res, isFull: false };
    lines.set(socket, line);
    if (line.isFull) return;
    if (line.waiting === MAX_WAITING) {
      line.isFull = true;
      socket.pause();
      // Node resumes a socket when answers drain, and would begin the next thousand requests.
      socket.on('resume', () => socket.pause());
      // Closed without lingering, although the client may lose answers and has to repeat what was not answered (RFC 9112
      // 9.3.2): the requests that were begun occupy some ten megabytes until the connection is gone.
      line.last.once('close', () => socket.destroy());
      return;
    }
    line.waiting += 1;
    line.last = res;
    res.once('close', () => {
      line.waiting -= 1;
    });
    answer(req, res);
  };
}
