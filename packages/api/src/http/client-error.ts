import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeAfterReading } from './close-after-reading.ts';

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}

const malformed: Refusal = { status: 400, code: 'malformed_request', detail: 'This is not a valid HTTP request.' };
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'headers_too_large', detail: 'The headers are larger than 16 KiB.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, code: 'body_too_large', detail: 'The chunk extensions are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'request_timeout', detail: 'The request did not arrive in time.' },
};

/** Answers what Node's parser refuses, which never becomes a request, with the error body that all others have. */
export interface ClientErrors {
  /** To be told of every request, so that an answer under way is finished before the refusal behind it. */
  watch(socket: Duplex, res: ServerResponse): void;
  /** The server's `clientError` listener. */
  onClientError(error: NodeJS.ErrnoException, socket: Duplex): void;
}

export function createClientErrors(): ClientErrors {
  const underWay = new WeakMap<Duplex, Set<ServerResponse>>();
  const latest = new WeakMap<Duplex, ServerResponse>();
  return {
    watch: (socket, res) => {
      const responses = underWay.get(socket) ?? new Set();
      underWay.set(socket, responses.add(res));
      latest.set(socket, res);
      res.once('close', () => responses.delete(res));
    },
    onClientError: (error, socket) => {
      // Answered by its head, and then its body came too slowly or broken: a second answer would be taken for the next one's.
      const last = latest.get(socket);
      const isAnswered = last?.req.complete === false && last.writableFinished;
      if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) {
        socket.destroy();
        return;
      }
      const pending = [...(underWay.get(socket) ?? [])];
      // The body of the last one is what is broken: whoever reads it would wait for its end for ever.
      const broken = pending.findLast(({ req }) => !req.complete);
      // Pipelined: the answers before it come first, or the client would take the refusal for one of them.
      const before = pending.findLast((one) => one !== broken);
      const end = () => (broken?.headersSent ? socket.destroy() : refuse(error, socket));
      if (before === undefined) end();
      else before.once('close', end);
    },
  };
}

function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code, detail } = refusals[error.code ?? ''] ?? malformed;
  const body = JSON.stringify({ detail, code });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  closeAfterReading(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}
