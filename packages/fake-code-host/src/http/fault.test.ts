import { expect, it } from 'vitest';
import { scratchOrigin } from '../people/scratch-origin.ts';
import { startCodeHost } from '../start-code-host.ts';
import type { HostFault } from './fault.ts';

const REPO = 'ann/widget';
const COMMENTS = 'POST /repos/:owner/:repo/issues/:number/comments';

async function aHost() {
  using origin = scratchOrigin();
  const host = await startCodeHost();
  host.addUser({ login: 'ann' });
  await host.addRepo({ fullName: REPO, from: origin.path });
  host.openIssue(REPO, { title: 'broken', by: 'ann', number: 7 });
  const token = host.issueToken('ann');
  const comment = (body: string, signal: AbortSignal | null = null) =>
    fetch(`${host.apiUrl}/repos/${REPO}/issues/7/comments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ body }),
      signal,
    });
  return { host, comment, said: () => host.comments(REPO, 7).map(({ body }) => body) };
}

it.each<[HostFault, number]>([
  [{ kind: 'status', status: 503 }, 503],
  [{ kind: 'html' }, 502],
  [{ kind: 'rate_limit', resetInSeconds: 30 }, 403],
  [{ kind: 'secondary_limit', retryAfterSeconds: 2 }, 403],
  [{ kind: 'shape' }, 200],
  [{ kind: 'not_json' }, 200],
])('answers %o instead of the work, as often as configured', async (fault, status) => {
  const { host, comment, said } = await aHost();
  await using _ = host;
  const armed = host.arm({ on: COMMENTS, fault, times: 2, skip: 1 });
  const statuses = [];
  for (const body of ['a', 'b', 'c', 'd']) statuses.push((await comment(body)).status);
  expect(statuses).toEqual([201, status, status, 201]);
  expect(said()).toEqual(['a', 'd']);
  expect(armed.hits).toBe(2);
});

it('names the time of the next request when the quota is used up', async () => {
  const { host, comment } = await aHost();
  await using _ = host;
  host.arm({ fault: { kind: 'rate_limit', resetInSeconds: 30 } });
  const { headers } = await comment('a');
  expect(headers.get('x-ratelimit-remaining')).toBe('0');
  expect(Number(headers.get('x-ratelimit-reset')) * 1000).toBeGreaterThan(Date.now());
});

it('does the work and loses the answer', async () => {
  const { host, comment, said } = await aHost();
  await using _ = host;
  host.arm({ on: COMMENTS, fault: { kind: 'lost' } });
  await expect(comment('a')).rejects.toThrow('fetch failed');
  expect(said()).toEqual(['a']);
});

it('does the work and cuts the answer in its middle', async () => {
  const { host, comment, said } = await aHost();
  await using _ = host;
  host.arm({ on: COMMENTS, fault: { kind: 'cut' } });
  const response = await comment('a');
  expect(response.status).toBe(201);
  await expect(response.text()).rejects.toThrow('terminated');
  expect(said()).toEqual(['a']);
});

it('ends the connection, or never answers, without doing the work', async () => {
  const { host, comment, said } = await aHost();
  await using _ = host;
  host.arm({ on: COMMENTS, fault: { kind: 'reset' } });
  await expect(comment('a')).rejects.toThrow('fetch failed');
  host.arm({ on: /comments$/, fault: { kind: 'hang' } });
  const controller = new AbortController();
  const asked = comment('b', controller.signal);
  host.onRequest(() => controller.abort());
  await expect(asked).rejects.toThrow('aborted');
  expect(said()).toEqual([]);
});

it('waits for hooks before the work and between the work and the answer', async () => {
  const { host, comment, said } = await aHost();
  await using _ = host;
  const seen: string[] = [];
  const end = host.onRequest(({ write, status }) => void seen.push(`${write} ${status} ${said().length}`));
  host.beforeAnswer(({ tokenOwner, status }) => void seen.push(`${tokenOwner} ${status} ${said().length}`));
  await comment('a');
  end();
  await comment('b');
  expect(seen).toEqual(['true null 0', 'ann 201 1', 'ann 201 2']);
});
