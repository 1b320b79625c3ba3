import type { CodeHit, CodeIndex } from '@sluice/core/code-search';
import { AppError } from '@sluice/core/error';
import { newId, untilFound } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Login, type RunningApi, startApi } from './start-api.ts';

const hit: CodeHit = {
  path: 'src/sum.js',
  startLine: 3,
  endLine: 9,
  symbol: 'sum',
  text: 'function sum() {\n}',
  score: 0.031,
};
type Search = CodeIndex['search'];

let search: Search;
const asked: Parameters<Search>[] = [];
let api: RunningApi;
let ada: Login;
let id: string;
beforeEach(async () => {
  asked.length = 0;
  search = async () => [hit];
  api = await startApi({
    codeIndex: {
      search: (...question) => {
        asked.push(question);
        return search(...question);
      },
    },
  });
  ada = await api.login();
  ({ id } = await api.repo(ada));
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

const get = (query: string, as: Login | undefined = ada, repoId = id) =>
  api.call('GET', `/api/repos/${repoId}/search?${query}`, { ...(as && { as }) });

describe('GET /api/repos/{id}/search', () => {
  it('has what the index finds, in its order', async () => {
    search = async () => [hit, { ...hit, path: 'b', symbol: null }];
    const { status, body } = await get('q=where%20are%20numbers%20added%3F&limit=2');
    const item = { path: 'src/sum.js', start_line: 3, end_line: 9, symbol: 'sum', text: hit.text, score: 0.031 };
    expect([status, body]).toEqual([200, { items: [item, { ...item, path: 'b', symbol: null }] }]);
    expect(asked).toEqual([[id, { query: 'where are numbers added?', limit: 2 }, expect.any(AbortSignal)]]);
  });

  it('asks for ten by default, and is empty where nothing is indexed', async () => {
    search = async () => [];
    expect((await get('q=x')).body).toEqual({ items: [] });
    expect(asked[0]?.[1]).toEqual({ query: 'x', limit: 10 });
  });

  it.each([
    'limit=3',
    'q=',
    'q=%20',
    `q=${'a'.repeat(1_001)}`,
    'q=a&q=b',
    'q=%00',
    'q=a&limit=0',
    'q=a&limit=51',
    'q=a&limit=',
    'q=a&limit=1.5',
    'q=a&limit=1&limit=2',
    'q=a&kind=x',
    'q=a&id=b',
  ])('answers 400 for %s', async (query) => {
    const { status, body } = await get(query);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(asked).toEqual([]);
  });

  it.each(['" OR NEAR(*', "'; drop table issues; --", 'a'.repeat(1_000), '😀'.repeat(1_000), '../../etc/passwd'])(
    'hands on %s as it is',
    async (q) => {
      expect((await get(`q=${encodeURIComponent(q)}`)).status).toBe(200);
      expect(asked[0]?.[1].query).toBe(q);
    },
  );

  it('answers 401, 403 and 404 to whom it does not concern', async () => {
    const eve = await api.login();
    const anonymous = await api.call('GET', `/api/repos/${id}/search?q=x`);
    const answers = [anonymous, await get('q=x', eve), await get('q=x', ada, newId()), await get('q=x', ada, '..%2f')];
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 404, 404]);
    expect(asked).toEqual([]);
  });

  it('answers 503 when the index is away, and 502 when the model of its vectors is', async () => {
    search = async () => {
      throw new AppError('not_ready', { detail: 'The vector store cannot be reached.' });
    };
    const away = await get('q=x');
    expect([away.status, away.body.code]).toEqual([503, 'not_ready']);
    search = async () => {
      throw new AppError('model_unavailable');
    };
    expect((await get('q=x')).status).toBe(502);
  });

  it('answers 503 when the index hangs, and says when to come again', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const soon = new AbortController();
      setImmediate(() => soon.abort(new DOMException('late', 'TimeoutError')));
      return soon.signal;
    });
    search = () => new Promise(() => {});
    const { status, body, headers } = await get('q=x');
    timeout.mockRestore();
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'not_ready', '5']);
    expect(asked[0]?.[2].aborted).toBe(true);
  });

  it('aborts the search when the caller disconnects', async () => {
    search = () => new Promise(() => {});
    const leaving = new AbortController();
    const call = fetch(`${api.url}/api/repos/${id}/search?q=x`, {
      headers: { cookie: ada.cookie },
      signal: leaving.signal,
    });
    await untilFound(() => asked.length > 0);
    leaving.abort();
    await expect(call).rejects.toThrow();
    await untilFound(() => asked[0]?.[2].aborted);
    expect(api.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
