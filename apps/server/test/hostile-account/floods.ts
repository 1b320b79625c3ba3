import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpSession } from '../http-session.ts';

const CONNECTIONS = 6; // as many as a browser has
/** The account's other attacks need some of its 120 mutations a minute: it floods in bursts, and in between sends a few. */
const BURST_MS = 15_000;
const BURST_EVERY_MS = 60_000;
const LARGE_BODY_EVERY_MS = 1_000;
const STREAMS_WANTED = 300;
const STREAMS_AT_ONCE = 25;
const BREATH_MS = 5; // the attacker has the same machine

export interface Flooded {
  readonly session: HttpSession;
  readonly repoId: string;
  readonly over: AbortSignal;
  count(what: string): void;
}

/** Bodies of a hundred thousand members: some that are within the rate limit, and as many as go where it is used up. */
export async function floodBodies(flooded: Flooded): Promise<void> {
  const members = Array.from({ length: 100_000 }, (_, at) => `"${at.toString(16)}":1`);
  const body = `{${members.join(',')}}`;
  const withinLimit = async () => {
    while (!flooded.over.aborted) {
      await change(flooded, { body, what: 'PATCH of 100,000 members' });
      await pause(LARGE_BODY_EVERY_MS);
    }
  };
  const beyond = onConnections(flooded, (agent) =>
    change(flooded, { agent, body, method: 'POST', what: 'POST of 100,000 members' }),
  );
  await Promise.all([withinLimit(), beyond]);
}

export async function floodPatches(flooded: Flooded): Promise<void> {
  const body = JSON.stringify({ instructions: 'again' });
  while (!flooded.over.aborted) {
    await pause(BURST_EVERY_MS - BURST_MS, undefined, { signal: flooded.over }).catch(() => {});
    const over = AbortSignal.any([flooded.over, AbortSignal.timeout(BURST_MS)]);
    await onConnections({ ...flooded, over }, (agent) => change(flooded, { agent, body, what: 'PATCH' }));
  }
}

/** Opens streams until they are refused, keeps them, and drops all of them now and then to begin again. */
export async function floodStreams({ session, over, count }: Flooded): Promise<void> {
  const headers = { cookie: cookieOf(session) };
  while (!over.aborted) {
    const open: IncomingMessage[] = [];
    for (let asked = 0; asked < STREAMS_WANTED && !over.aborted; asked += STREAMS_AT_ONCE) {
      await Promise.all(
        Array.from({ length: STREAMS_AT_ONCE }, async () => {
          const response = await send(`${session.url}/api/events`, { headers });
          count(`stream ${response?.statusCode ?? 'no answer'}`);
          if (response?.statusCode === 200) open.push(response.resume().on('error', () => {}));
          else response?.resume();
        }),
      );
    }
    await pause(5_000, undefined, { signal: over }).catch(() => {});
    for (const response of open) response.destroy();
  }
}

async function onConnections({ over }: Flooded, act: (agent: Agent) => Promise<void>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const one = async () => {
    while (!over.aborted) {
      await act(agent);
      await pause(BREATH_MS);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  agent.destroy();
}

async function change(
  { session, repoId, count }: Flooded,
  { what, ...sent }: { agent?: Agent; method?: 'POST'; body: string; what: string },
): Promise<void> {
  const headers = { cookie: cookieOf(session), 'content-type': 'application/json' };
  const path = sent.method === 'POST' ? '/api/repos' : `/api/repos/${repoId}`;
  const response = await send(session.url + path, { method: 'PATCH', ...sent, headers });
  count(`${what} ${response?.statusCode ?? 'no answer'}`);
  response?.resume();
}

/** Null where the connection broke. */
function send(
  url: string,
  { body, ...options }: { agent?: Agent; method?: string; headers: Record<string, string>; body?: string },
): Promise<IncomingMessage | null> {
  return new Promise((resolve) => {
    const asked = request(url, options, resolve);
    asked.on('error', () => resolve(null));
    asked.end(body);
  });
}

function cookieOf(session: HttpSession): string {
  return [...session.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
}
