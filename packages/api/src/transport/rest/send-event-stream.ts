import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { HEARTBEAT_MS } from '../../feed/heartbeat.ts';
import type { EventStream } from '../../feed/issue-feed.ts';
import type { StreamItem } from '../../feed/stream-item.ts';

const RETRY_MS = 2_000;

/** Answers with Server-Sent Events. The next item is taken once the connection has room for it. */
export async function sendEventStream(
  request: { res: ServerResponse; isHead: boolean },
  stream: EventStream<StreamItem<unknown>>,
): Promise<void> {
  const { res, isHead } = request;
  if (stream.isOver) {
    res.statusCode = 204;
    res.end();
    return;
  }
  res.statusCode = 200;
  res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  res.setHeader('Cache-Control', 'no-store, no-transform');
  res.setHeader('X-Accel-Buffering', 'no'); // otherwise nginx holds events back
  if (isHead) {
    res.end();
    return;
  }
  res.write(`retry: ${RETRY_MS}\n\n`);
  const beat = setInterval(() => {
    if (!res.writableNeedDrain) res.write(':\n\n');
  }, HEARTBEAT_MS);
  try {
    for await (const item of stream) {
      if (!res.write(item.frame())) await drained(res);
      if (res.destroyed) return;
    }
  } finally {
    clearInterval(beat);
    res.end();
  }
}

async function drained(res: ServerResponse): Promise<void> {
  if (res.destroyed) return;
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })]).finally(() => settled.abort());
}
