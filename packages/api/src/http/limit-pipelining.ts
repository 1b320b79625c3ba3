import type { RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** No client of ours sends a second request before the first is answered; those that pipeline at all send a few. */
const MAX_WAITING = 100;

/**
 * Answers the first hundred requests that wait on one connection, and closes it after them. Node begins all that came
 * in one packet, a thousand and more, before anybody else has a turn.
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
      // At once, though what is on its way to a client who still sends may be lost with it, and he has to ask again for what
      // was not answered (RFC 9112 9.3.2): what was begun is kept for as long as the connection, ten megabytes of it.
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
