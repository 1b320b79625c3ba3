import type { ServerResponse } from 'node:http';

/**
 * Ends an answer whose client takes nothing of it for so long, and its connection with it: nothing else would, and what is
 * unread of it is kept. Until an answer begins its time is ours, not the client's. A stream is not ended by this for being
 * quiet: its heartbeats are signs of life.
 */
export function endUnread(res: ServerResponse, unreadMs: number): void {
  const { writeHead } = res;
  res.writeHead = ((...head: Parameters<typeof writeHead>) => {
    res.setTimeout(unreadMs);
    return writeHead.apply(res, head);
  }) as typeof writeHead;
  // Heard of here, Node does not hang up by itself: the time of the answer before may run out while this one is made.
  res.on('timeout', () => {
    if (res.headersSent) res.destroy();
  });
}
