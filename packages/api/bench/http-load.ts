import { once } from 'node:events';
import { Agent, request } from 'node:http';

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly cookie?: string | undefined;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpLoad {
  /** Sends the calls over so many connections, each as soon as the last one of its connection was answered. */
  send(calls: readonly Call[], connections: number): Promise<Sent>;
}

interface Sent {
  readonly seconds: number;
  /** How long each call took, in milliseconds. */
  readonly took: readonly number[];
  readonly bodies: readonly string[];
}

export function loadOf(port: number): HttpLoad {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  return {
    send: async (calls, connections) => {
      const took: number[] = [];
      const bodies: string[] = [];
      const left = calls.toReversed();
      const began = performance.now();
      const line = async () => {
        for (let call = left.pop(); call !== undefined; call = left.pop()) {
          const sentAt = performance.now();
          bodies.push(await send({ agent, port }, call));
          took.push(performance.now() - sentAt);
        }
      };
      await Promise.all(Array.from({ length: connections }, line));
      return { seconds: (performance.now() - began) / 1_000, took, bodies };
    },
  };
}

/** @throws Error when the answer is a refusal */
async function send(to: { agent: Agent; port: number }, call: Call): Promise<string> {
  const { method, path, cookie, json, headers } = call;
  const body = json === undefined ? undefined : JSON.stringify(json);
  const sent = request({
    ...to,
    host: '127.0.0.1',
    method,
    path,
    headers: {
      ...(cookie !== undefined && { Cookie: cookie }),
      ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
      ...headers,
    },
  });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  if (answer.statusCode >= 300) throw new Error(`${method} ${path} was answered by ${answer.statusCode}: ${text}`);
  return text;
}
