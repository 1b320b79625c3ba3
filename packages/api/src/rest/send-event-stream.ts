import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isTrackedEnvelope } from '@trpc/server';
import type { EventSink, StreamedEvent } from '../feed/follow-issue.ts';
import { nothingToCome, passDirectly } from '../issues/watch-issue.procedure.ts';
import { HEARTBEAT_MS } from '../procedure/procedure.ts';

const RETRY_MS = 2_000;

/**
 * Answers with a subscription's events as Server-Sent Events. A reader's pace is the stream's: nothing more is taken
 * while the connection is full. While he keeps up, events go to the connection directly, past the iterable
 * (`passDirectly`).
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
  passDirectly(envelopes, sinkOf(res));
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

function frame(envelope: unknown): Buffer {
  if (!isTrackedEnvelope(envelope)) return printed((envelope as { data: StreamedEvent }).data).frame;
  const [id, event] = envelope as unknown as [string, StreamedEvent];
  return id === ownId(event) ? printed(event).frame : print(id, event);
}

/** Where events go that need not wait for a turn of the loop. */
function sinkOf(res: ServerResponse): EventSink {
  return {
    isReady: () => !res.writableNeedDrain && !res.writableEnded && !res.destroyed && takesMore(res.socket),
    send: (event) => {
      // Past the answer where it is sent in chunks: it would hand the connection each of them in three pieces, which is a
      // third of all that it costs to bring an event to a stream.
      if (res.chunkedEncoding && res.socket !== null) res.socket.write(printed(event).chunk);
      else res.write(printed(event).frame);
    },
  };
}

/** Not one that was ended because its client has: what it was given before still goes out, and a write would cut that off. */
function takesMore(socket: Socket | null): boolean {
  return socket === null || (socket.writable && !socket.writableNeedDrain);
}

interface Printed {
  readonly frame: Buffer;
  /** The frame as one chunk of the chunked coding (RFC 9112 7.1). */
  readonly chunk: Buffer;
}

const prints = new WeakMap<StreamedEvent, Printed>();

/** An event under its own number, if it has one. Made once: all streams of an issue send the same bytes. */
function printed(event: StreamedEvent): Printed {
  const made = prints.get(event);
  if (made !== undefined) return made;
  const frame = print(ownId(event), event);
  const size = Buffer.from(`${frame.length.toString(16)}\r\n`);
  const chunk = Buffer.concat([size, frame, Buffer.from('\r\n')]);
  const both = { frame: chunk.subarray(size.length, -2), chunk }; // of one piece of memory
  prints.set(event, both);
  return both;
}

function ownId(event: StreamedEvent): string | null {
  return 'seq' in event ? String(event.seq) : null;
}

function print(id: string | null, event: StreamedEvent): Buffer {
  const name = id === null ? '' : `id: ${id}\n`;
  return Buffer.from(`${name}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
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
