import { setTimeout as pause } from 'node:timers/promises';
import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { eventually, isSoakRun } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { useFleet } from '../fleet.ts';
import { continueSession, type HttpSession, signUp } from '../http-session.ts';
import { makeBuggyRepo } from '../scratch-repo.ts';

// Usual way: apps/server/test/several-processes.test.ts
// Usual way: packages/api/test/feed/one-issue.test.ts, packages/api/test/feed/all-issues.test.ts

const { services, start } = useFleet();

/** What takes an access away, and what is left of it. */
const losses = {
  'removal of a member': { reads: false, writes: false, issueStream: 'ends', feed: 'is silent' },
  'demotion of a member': { reads: true, writes: false, issueStream: 'goes on', feed: 'goes on' },
  'revocation of a token': { reads: false, writes: false, issueStream: 'ends', feed: 'ends' },
  logout: { reads: false, writes: false, issueStream: 'ends', feed: 'ends' },
} as const;
type Loss = keyof typeof losses;
const lossNames = Object.keys(losses) as Loss[];

const RACES = isSoakRun ? 500 : 4;
const LANES = 4;
/** By then an access is gone everywhere. The short run shares its machine with other tests, where a second is no measure. */
const GONE_AFTER_MS = isSoakRun ? 1_000 : 10_000;
const BETWEEN_REQUESTS_MS = 20;
const PASSWORD = 'a long enough passphrase';

/** People and a repository of their own, so that lanes do not meet. */
interface Lane {
  readonly urls: readonly [string, string];
  readonly owner: HttpSession;
  readonly member: HttpSession;
  readonly email: string;
  readonly memberId: string;
  readonly repo: string;
}

type Headers = Readonly<Record<string, string>>;

interface Asked {
  readonly what: 'reads' | 'writes';
  readonly began: number;
  readonly ended: number;
  readonly status: number;
}

/** A stream, with when each part of it came. */
interface Heard {
  text(): string;
  /** The text since that moment. */
  since(moment: number): string;
  endedAt(): number | null;
  leave(): Promise<void>;
}

async function listen(url: string, headers: Headers): Promise<Heard> {
  const leaving = new AbortController();
  const answer = await fetch(url, { headers, signal: leaving.signal });
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
  const parts: { at: number; text: string }[] = [];
  let endedAt: number | null = null;
  const read = async () => {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of answer.body ?? [])
        parts.push({ at: performance.now(), text: decoder.decode(chunk as Uint8Array, { stream: true }) });
    } catch {
      // cut, by the server or by us
    }
    endedAt = performance.now();
  };
  const reading = read();
  const joined = (some: typeof parts) => some.map(({ text }) => text).join('');
  return {
    text: () => joined(parts),
    since: (moment) => joined(parts.filter(({ at }) => at > moment)),
    endedAt: () => endedAt,
    leave: async () => {
      leaving.abort();
      await reading;
    },
  };
}

const cookieOf = (session: HttpSession): Headers => ({
  cookie: [...session.cookies()].map(([name, value]) => `${name}=${value}`).join('; '),
});

async function openLane(urls: Lane['urls'], number: number): Promise<Lane> {
  const email = `member${number}@example.com`;
  const owner = await signUp(urls[0], `owner${number}@example.com`);
  const member = await signUp(urls[1], email);
  const me = await member.call<{ id: string }>('GET', '/api/auth/me');
  const { body } = await owner.call<RepoWire>('POST', '/api/repos', { url: makeBuggyRepo().path });
  return { urls, owner, member, email, memberId: me.body.id, repo: body.id };
}

/** How the member asks in this race, and how they lose that. */
async function access(loss: Loss, { urls, owner, member, email, memberId, repo }: Lane) {
  const members = `/api/repos/${repo}/members`;
  if (loss === 'removal of a member')
    return { headers: cookieOf(member), lose: () => owner.call('DELETE', `${members}/${memberId}`) };
  if (loss === 'demotion of a member')
    return {
      headers: cookieOf(member),
      lose: () => owner.call('PATCH', `${members}/${memberId}`, { role: 'viewer' }),
    };
  if (loss === 'revocation of a token') {
    const draft = { name: 'CI', scope: 'write', expires_in_days: 1 };
    const { body } = await member.call<{ id: string; token: string }>('POST', '/api/tokens', draft);
    return {
      headers: { authorization: `Bearer ${body.token}` },
      lose: () => member.call('DELETE', `/api/tokens/${body.id}`),
    };
  }
  const session = continueSession(urls[0], new Map());
  await session.call('POST', '/api/auth/login', { email, password: PASSWORD });
  return { headers: cookieOf(session), lose: () => session.call('POST', '/api/auth/logout') };
}

/** One access that is lost while requests and streams at both processes use it. @returns what was still possible and should not have been */
async function race(loss: Loss, lane: Lane, number: number): Promise<string[]> {
  const { owner, repo, urls } = lane;
  await owner.call('POST', `/api/repos/${repo}/members`, { user: lane.email, role: 'contributor' });
  const created = await owner.call<IssueWire>('POST', '/api/issues', { repo_id: repo, title: 'A', body: '' });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const path = `/api/issues/${created.body.id}`;
  const { headers, lose } = await access(loss, lane);
  const [here, there] = number % 2 === 0 ? urls : ([urls[1], urls[0]] as const);
  const issueStream = await listen(`${here}${path}/events`, headers);
  const feed = await listen(`${there}/api/events`, headers);
  const ownStreams = [
    await listen(`${urls[0]}${path}/events`, cookieOf(owner)),
    await listen(`${urls[1]}${path}/events`, cookieOf(owner)),
  ];

  const asked: Asked[] = [];
  const stop = new AbortController();
  const keepAsking = async (what: Asked['what'], url: string) => {
    const json = { ...headers, 'content-type': 'application/json' };
    while (!stop.signal.aborted) {
      const began = performance.now();
      const answer = await (what === 'reads'
        ? fetch(`${url}${path}`, { headers })
        : fetch(`${url}${path}/messages`, { method: 'POST', headers: json, body: JSON.stringify({ text: 'before' }) }));
      await answer.arrayBuffer();
      asked.push({ what, began, ended: performance.now(), status: answer.status });
      await pause(BETWEEN_REQUESTS_MS);
    }
  };
  const asking = [...urls.map((url) => keepAsking('reads', url)), ...urls.map((url) => keepAsking('writes', url))];
  await eventually(() => {
    for (const stream of [issueStream, feed]) expect(stream.text()).toContain('before');
  });

  const answer = await lose();
  const lost = performance.now();
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  const left = losses[loss];
  const ends = [left.issueStream === 'ends' ? issueStream : null, left.feed === 'ends' ? feed : null];
  if (isSoakRun) await pause(GONE_AFTER_MS);
  else await eventually(() => expect(ends.every((stream) => stream === null || stream.endedAt() !== null)).toBe(true));
  const canary = `canary of ${number}`;
  const sent = await owner.call('POST', `${path}/messages`, { text: canary });
  expect(sent.status, JSON.stringify(sent.body)).toBe(202);
  await eventually(() => {
    for (const stream of ownStreams) expect(stream.text()).toContain(canary);
    if (left.feed === 'goes on') for (const stream of [issueStream, feed]) expect(stream.text()).toContain(canary);
  });
  stop.abort();
  await Promise.all(asking);
  for (const stream of [issueStream, feed, ...ownStreams]) await stream.leave();
  await owner.call('DELETE', path);

  const wrong = asked.flatMap(({ what, began, ended, status }) => {
    if (status >= 500) return [`${what} answered ${status}`];
    const passed = status < 300;
    if (began > lost && passed !== left[what]) return [`${what} begun ${began - lost} ms later answered ${status}`];
    if (ended > lost + GONE_AFTER_MS && passed && !left[what]) return [`${what} ended ${ended - lost} ms later`];
    return [];
  });
  for (const [name, stream] of Object.entries({ issueStream, feed })) {
    const is = left[name as 'issueStream' | 'feed'];
    const endedAt = stream.endedAt() ?? Number.POSITIVE_INFINITY;
    if (is === 'ends' && endedAt > lost + GONE_AFTER_MS) wrong.push(`${name} ended ${endedAt - lost} ms later`);
    if (is !== 'goes on' && stream.since(lost + GONE_AFTER_MS).includes(created.body.id))
      wrong.push(`${name} showed the issue more than ${GONE_AFTER_MS} ms later`);
    if (is !== 'goes on' && stream.text().includes(canary)) wrong.push(`${name} showed what came later`);
  }
  return wrong.map((what) => `${number} (${loss}): ${what}`);
}

describe('an access that is lost while two processes serve it', () => {
  it('is gone at both within a second: no request is answered, and no stream goes on', async () => {
    const environment = {
      ...(await services().installation()),
      ROLE: 'api',
      API_TOKENS: 'on',
      ...Object.fromEntries(
        ['LOGIN', 'REGISTER', 'CREATE_ISSUE', 'CREATE_REPO', 'SEND_MESSAGE', 'MUTATION', 'API_TOKEN'].map((name) => [
          `LIMIT_${name}`,
          '0',
        ]),
      ),
    };
    const urls = [(await start(environment)).url, (await start(environment)).url] as const;
    let next = 0;
    const run = async (lane: Lane) => {
      const wrong: string[] = [];
      for (let number = next++; number < RACES; number = next++)
        wrong.push(...(await race(lossNames[number % lossNames.length] as Loss, lane, number)));
      return wrong;
    };
    const lanes = await Promise.all(Array.from({ length: LANES }, (_, number) => openLane(urls, number)));
    expect((await Promise.all(lanes.map(run))).flat()).toEqual([]);
  });
});
