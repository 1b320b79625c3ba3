import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type PublicCode, statusOf } from '../../error/public-error.ts';
import type { FixedHeaders } from './security-headers.ts';

const LINGER_MS = 5_000; // nginx lingers as long: https://nginx.org/en/docs/http/ngx_http_core_module.html#lingering_timeout

interface Refusal {
  readonly code: PublicCode;
  readonly detail: string;
}

const malformed: Refusal = { code: 'malformed_request', detail: 'This is not a valid HTTP request.' };
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', detail: 'The headers are larger than 16 KiB.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { code: 'body_too_large', detail: 'The chunk extensions are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', detail: 'The request did not arrive in time.' },
};

/** Answers requests that Node's parser refuses, which never reach a handler, with the usual error body. */
export interface ClientErrors {
  /** Registers a request, so that its answer is finished before a refusal behind it. */
  watch(socket: Duplex, res: ServerResponse): void;
  /** The server's `clientError` listener. */
  onClientError(error: NodeJS.ErrnoException, socket: Duplex): void;
}

/** Creates the answers to requests that Node could not parse. @param headers of every answer */
export function createClientErrors(headers: FixedHeaders = []): ClientErrors {
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
      // The last request was answered before its body arrived: a second answer would be taken for the next request's.
      const last = latest.get(socket);
      const isAnswered = last?.req.complete === false && last.writableFinished;
      if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) {
        socket.destroy();
        return;
      }
      const pending = [...(underWay.get(socket) ?? [])];
      // The last request's body is broken: its reader would wait for the end forever.
      const broken = pending.findLast(({ req }) => !req.complete);
      // With pipelining, earlier answers go first, or the client would take the refusal for one of them.
      const before = pending.findLast((one) => one !== broken);
      const end = () => (broken?.headersSent ? socket.destroy() : refuse(error, socket, headers));
      if (before === undefined) end();
      else before.once('close', end);
    },
  };
}

function refuse(error: NodeJS.ErrnoException, socket: Duplex, headers: FixedHeaders): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { code, detail } = refusals[error.code ?? ''] ?? malformed;
  const status = statusOf(code);
  const body = JSON.stringify({ detail, code });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  closeAfterReading(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Ends a connection whose client may still be sending. Closing it with unread bytes resets it, and the client would lose
 * the answer: so its bytes are discarded until it ends too, for five seconds at most.
 */
function closeAfterReading(socket: Duplex, answer: string): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.once('end', () => socket.destroy());
  // Node's parser listens as well, and would begin the next request.
  socket.removeAllListeners('data').on('data', () => undefined);
  socket.end(answer);
  socket.resume();
}
