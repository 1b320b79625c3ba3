import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
}

/** A collector that takes traces by OTLP over HTTP, as JSON. */
export interface OtlpReceiver extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** All that has come, as it came. */
  readonly raw: () => string;
  readonly headers: readonly IncomingHttpHeaders[];
}

interface Wire {
  resourceSpans: { scopeSpans: { spans: WireSpan[] }[] }[];
}
interface WireSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
}

/** Starts a server that collects exported spans. @param hangs takes every export and never answers */
export async function startOtlpReceiver({ hangs = false } = {}): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    headers.push(req.headers);
    bodies.push(body);
    if (hangs) return;
    const { resourceSpans } = JSON.parse(body) as Wire;
    for (const span of resourceSpans.flatMap((one) => one.scopeSpans).flatMap((one) => one.spans)) {
      const attributes = span.attributes.map(({ key, value }) => [key, Object.values(value)[0]] as const);
      spans.push({ ...span, attributes: Object.fromEntries(attributes), failed: span.status.code === 2 });
    }
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    raw: () => bodies.join('\n'),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
