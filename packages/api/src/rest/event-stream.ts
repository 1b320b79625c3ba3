import type { ServerResponse } from 'node:http';
import { isTrackedEnvelope } from '@trpc/server';
import type { StreamedEvent } from '../issues/follow-issue.ts';
import { nothingToCome } from '../issues/watch-events.ts';
import { HEARTBEAT_MS } from '../procedure/procedure.ts';

const RETRY_MS = 2_000;

/**
 * Answers with a subscription's events as Server-Sent Events. A reader's pace is the stream's: nothing more is taken
 * while the connection is full.
 */
export async function sendEventStream(
  request: { res: ServerResponse; isHead: boolean },
  envelopes: AsyncIterable<unknown>,
): Promise<void> {
  const { res, isHead } = request;
  if (envelopes === nothingToCome) {
    res.statusCode = 204;
    res.end();
    return;
  }
  res.statusCode = 200;
  res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  res.setHeader('Cache-Control', 'no-store, no-transform');
  res.setHeader('X-Accel-Buffering', 'no'); // nginx would hold events back otherwise
  if (isHead) {
    res.end();
    return;
  }
  res.write(`retry: ${RETRY_MS}\n\n`);
  const beat = setInterval(() => {
    if (!res.writableNeedDrain) res.write(':\n\n');
  }, HEARTBEAT_MS);
  try {
    for await (const envelope of envelopes) {
      if (!res.write(frame(envelope))) await drained(res);
      if (res.destroyed) return;
    }
  } finally {
    clearInterval(beat);
    res.end();
  }
}

function frame(envelope: unknown): string {
  if (isTrackedEnvelope(envelope)) {
    const [id, event] = envelope as unknown as [string, StreamedEvent];
    return `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  }
  const { data: event } = envelope as { data: StreamedEvent };
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Until the connection takes more, or is gone. */
function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done);
      res.off('close', done);
      resolve();
    };
    res.once('drain', done);
    res.once('close', done);
    if (res.destroyed) done();
  });
}
