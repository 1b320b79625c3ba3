import { describe, expect, it } from 'vitest';
import { trpcJudge } from './trpc-judge.ts';
import type { FuzzCalls } from './trpc-requests.ts';

const judge = trpcJudge();
const usual = { 'x-request-id': 'a', 'cache-control': 'no-store', 'content-type': 'application/json' };
const live: FuzzCalls = {
  as: 'owner',
  method: 'GET',
  calls: [{ name: 'health.live', input: null }],
  isBatch: false,
  inputs: null,
  query: [],
  headers: [],
  encoding: 'utf8',
  unescaped: false,
};
const both: FuzzCalls = { ...live, isBatch: true, calls: [...live.calls, { name: 'issues.get', input: '{}' }] };
const up = { result: { data: { status: 'up' } } };
const refused = (httpStatus: number, error: object = { detail: 'No.', code: 'bad_credentials' }) => ({
  error: { message: 'No.', code: -32_000, data: { code: 'BAD_REQUEST', httpStatus, error } },
});
const answer = (status: number, body: unknown, headers: Record<string, string> = usual) => ({
  status,
  text: typeof body === 'string' ? body : JSON.stringify(body),
  headers: new Map(Object.entries(headers)),
});

describe('the judge of answers over tRPC', () => {
  it.each([
    ['a result', live, answer(200, up)],
    ['a refusal', live, answer(400, refused(400))],
    ['a refusal before it came to tRPC', live, answer(415, { detail: 'No.', code: 'bad_credentials' })],
    ['a batch of which a part is refused', both, answer(207, [up, refused(404)])],
    ['a batch that is refused as a whole', both, answer(400, refused(400))],
    [
      'a stream',
      { ...live, calls: [{ name: 'events.watch', input: '{}' }] },
      answer(200, '', { 'content-type': 'text/event-stream' }),
    ],
  ])('lets pass %s', (_, calls, given) => {
    expect(judge(calls, given)).toBeNull();
  });

  it.each([
    ['a failure', 'failed', live, answer(500, refused(500))],
    ['a failure within a batch', 'failed', both, answer(207, [up, refused(500)])],
    ['another status than its body has', '409', live, answer(400, refused(409))],
    ['a batch with another status', '200 for', both, answer(200, [up, refused(404)])],
    [
      'a result with a member too many',
      'additional',
      live,
      answer(200, { result: { data: { status: 'up', secret: 1 } } }),
    ],
    ['a result without a member', 'required', live, answer(200, { result: { data: {} } })],
    ['an error with a stack', 'another shape', live, answer(400, { error: { ...refused(400).error, stack: 'at' } })],
    ['an error without its body', 'without its body', live, answer(400, refused(400, {}))],
    ['too few answers', '1 answers', both, answer(200, [up])],
    ['a batch for one call', 'as a batch', live, answer(200, [up])],
    [
      'a result by a wrong name',
      'no procedure',
      { ...live, calls: [{ name: 'x/health.live', input: null }] },
      answer(200, up),
    ],
    ['a stream of what is none', 'stream', live, answer(200, '', { 'content-type': 'text/event-stream' })],
    ['HTML', 'text/html', live, answer(404, '<p>', { ...usual, 'content-type': 'text/html' })],
    ['broken JSON', 'none', live, answer(200, '{')],
    ['an answer to HEAD', 'HEAD', { ...live, method: 'HEAD' }, answer(200, '')],
    ['an answer without its name', 'X-Request-Id', live, answer(200, up, { 'content-type': 'application/json' })],
  ])('finds %s', (...[, told, calls, given]) => {
    expect(judge(calls, given)).toContain(told);
  });
});
