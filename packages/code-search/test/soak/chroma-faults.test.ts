import { type ChromaServer, startChromaServer } from '@sluice/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromaName, createChromaVectorStore } from '../../src/chroma/create-chroma-vector-store.ts';
import { startFront } from '../../src/chroma/test/front.ts';

const signal = new AbortController().signal;
let chroma: ChromaServer;

beforeAll(async () => {
  chroma = await startChromaServer();
});

beforeEach(() => chroma.startEmpty());

afterAll(() => chroma[Symbol.asyncDispose]());

/** A busy machine may be slower than a server is given: what is not about that waits. */
const storeAt = ({ url }: { url: URL }) => createChromaVectorStore({ url, readMs: 60_000, writeMs: 60_000 });

function pointing(count: number, dimensions = 4) {
  return Array.from({ length: count }, (_, n) => ({
    id: `v${n}`,
    vector: Float32Array.from({ length: dimensions }, (_, m) => Math.sin(n + m)),
  }));
}

const question = { vector: Float32Array.of(1, 0, 0, 0), limit: 3 };

describe('a store of vectors in Chroma', () => {
  it('says that a server is gone, and finds everything again when it is back', async () => {
    const store = storeAt({ url: chroma.url });
    await store.upsert('c', pointing(5), signal);
    await chroma.kill();
    const gone = { code: 'not_ready', message: 'The vector store could not be reached.' };
    await expect(store.check(signal)).rejects.toMatchObject(gone);
    await expect(store.nearest('c', question, signal)).rejects.toMatchObject(gone);
    await expect(store.existing('c', ['v1'], signal)).rejects.toMatchObject(gone);
    await expect(store.upsert('c', pointing(1), signal)).rejects.toMatchObject(gone);
    await expect(store.keepOnly('c', new Set(), signal)).rejects.toMatchObject(gone);
    await expect(store.collections('', signal)).rejects.toMatchObject(gone);
    await expect(store.drop('c')).rejects.toMatchObject(gone);
    await chroma.start();
    expect(await store.existing('c', ['v1', 'v4', 'v5'], signal)).toEqual(['v1', 'v4']);
  });

  it('does not wait for a frozen server beyond its timeout or after a cancel', async () => {
    const patient = storeAt({ url: chroma.url });
    await patient.upsert('c', pointing(5), signal);
    const store = createChromaVectorStore({ url: chroma.url, readMs: 300, writeMs: 300 });
    chroma.freeze();
    const late = { code: 'not_ready', message: 'The vector store did not answer in time.' };
    await expect(store.check(signal)).rejects.toMatchObject(late);
    await expect(store.nearest('c', question, signal)).rejects.toMatchObject(late);
    await expect(store.upsert('c', pointing(1), signal)).rejects.toMatchObject(late);
    await expect(store.drop('c')).rejects.toMatchObject(late);
    const cancel = new AbortController();
    const reason = new Error('cancelled by a person');
    const waiting = [patient.nearest('c', question, cancel.signal), patient.upsert('c', pointing(1), cancel.signal)];
    const ended = Promise.allSettled(waiting);
    cancel.abort(reason);
    expect(await ended).toEqual(waiting.map(() => ({ status: 'rejected', reason })));
    const closing = patient.check(signal);
    await Promise.all([patient.close(), expect(closing).rejects.toMatchObject({ code: 'shutting_down' })]);
    chroma.thaw();
    await expect.poll(() => store.check(signal).then(() => 'there', String)).toBe('there');
  });

  it('starts from nothing with a server that comes back empty', async () => {
    const store = storeAt({ url: chroma.url });
    await store.upsert('c', pointing(5), signal);
    await chroma.startEmpty();
    expect(await store.nearest('c', question, signal)).toEqual([]);
    expect(await store.existing('c', ['v1'], signal)).toEqual([]);
    await store.keepOnly('c', new Set(), signal);
    await store.upsert('c', pointing(2, 7), signal);
    expect(await store.existing('c', ['v0', 'v1', 'v2'], signal)).toEqual(['v0', 'v1']);
  });

  it('makes a collection again that another process drops in the middle of a write, with all that it was given', async () => {
    await using front = await startFront(chroma.url);
    const [store, other] = [front, chroma].map(({ url }) => storeAt({ url }));
    let dropped = 0;
    front.before = async ({ url = '' }) => {
      if (!url.endsWith('/upsert') || dropped > 0) return false;
      dropped += 1;
      await other?.drop('c');
      return false;
    };
    await store?.upsert('c', pointing(20), signal);
    expect(dropped).toBe(1);
    expect(await other?.nearest('c', { ...question, limit: 50 }, signal)).toHaveLength(20);
  });

  it('finds nothing in a collection that another process drops in the middle of a question', async () => {
    await using front = await startFront(chroma.url);
    const [store, other] = [front, chroma].map(({ url }) => storeAt({ url }));
    await store?.upsert('c', pointing(5), signal);
    front.before = async ({ url = '' }) => {
      if (url.endsWith('/query')) await other?.drop('c');
      return false;
    };
    expect(await store?.nearest('c', question, signal)).toEqual([]);
  });

  it('gives a server no more at once than it advises, and no more than a proxy takes', async () => {
    await using front = await startFront(chroma.url);
    const store = storeAt({ url: front.url });
    await store.upsert('long', pointing(200, 3_072), signal);
    const sizes = front.requests.map(({ bytes }) => bytes);
    expect(Math.max(...sizes)).toBeLessThan(1_000_000);
    front.after = (path, answer) =>
      path.endsWith('/pre-flight-checks') ? JSON.stringify({ max_batch_size: 10 }) : answer;
    front.requests.length = 0;
    await store.upsert('advised', pointing(25), signal);
    expect(front.requests.filter(({ path }) => path.endsWith('/upsert'))).toHaveLength(3);
    front.after = (_path, answer) => answer;
    expect(await store.nearest('advised', { ...question, limit: 50 }, signal)).toHaveLength(25);
    expect(await store.nearest('long', { vector: new Float32Array(3_072).fill(1), limit: 500 }, signal)).toHaveLength(
      200,
    );
  });

  it('takes the last of two vectors with one id', async () => {
    const store = storeAt({ url: chroma.url });
    const [first, second] = pointing(2);
    if (first === undefined || second === undefined) throw new Error('there are two');
    await store.upsert('c', [first, { ...second, id: first.id }], signal);
    const [found, ...others] = await store.nearest('c', { vector: second.vector, limit: 5 }, signal);
    expect(found?.similarity).toBeCloseTo(1, 5);
    expect(others).toEqual([]);
  });

  it('lists its own collections alone, however many there are', async () => {
    const collections = '/api/v2/tenants/default_tenant/databases/default_database/collections';
    const make = async (name: string, configuration = {}) => {
      const made = await fetch(new URL(collections, chroma.url), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name, configuration }),
      });
      expect(made.status).toBe(200);
    };
    const names = Array.from({ length: 120 }, (_, n) => `repo-${n}.model`);
    await make('somebody-elses', { embedding_function: { type: 'known', name: 'nobody-has-it', config: {} } });
    for (const name of names) await make(chromaName(name));
    const store = storeAt({ url: chroma.url });
    expect((await store.collections('', signal)).toSorted()).toEqual(names.toSorted());
    expect((await store.collections('repo-11', signal)).toSorted()).toEqual(
      names.filter((name) => name.startsWith('repo-11')).toSorted(),
    );
  });

  it.each([
    [0, 1],
    [-3, 1],
    [7, 7],
    [1_000_000, 1_000],
  ])('answers a limit of %j with %j neighbours', async (limit, count) => {
    const store = storeAt({ url: chroma.url });
    await store.upsert('c', pointing(1_100), signal);
    expect(await store.nearest('c', { ...question, limit }, signal)).toHaveLength(count);
  });
});

describe('the address of Chroma', () => {
  it.each([
    ['a-token@', 'Bearer a-token'],
    ['a%2Ftoken%3D@', 'Bearer a/token='],
    ['me:pass%40word@', `Basic ${Buffer.from('me:pass@word').toString('base64')}`],
  ])('may have a path and credentials: %s', async (credentials, expected) => {
    await using front = await startFront(chroma.url, '/vectors/chroma');
    front.before = (request, response) => {
      if (request.headers.authorization === expected) return false;
      response.writeHead(401).end();
      return true;
    };
    const at = (userInfo: string) => storeAt({ url: new URL(front.url.href.replace('//', `//${userInfo}`)) });
    const store = at(credentials);
    await store.check(signal);
    await store.upsert('c', pointing(1), signal);
    expect(await store.existing('c', ['v0'], signal)).toEqual(['v0']);
    const refused = { code: 'not_ready', message: 'The vector store refuses the credentials that it was given.' };
    await expect(at('').check(signal)).rejects.toMatchObject(refused);
  });

  it('is the only place where its credentials go', async () => {
    await using elsewhere = await startFront(chroma.url);
    await using front = await startFront(chroma.url);
    front.before = (request, response) => {
      response.writeHead(307, { Location: new URL(request.url ?? '/', elsewhere.url).href }).end();
      return true;
    };
    const store = storeAt({ url: new URL(front.url.href.replace('//', '//hunter2@')) });
    const refused = await store.check(signal).catch((error: Error) => error);
    expect(refused).toMatchObject({ code: 'not_ready' });
    expect(JSON.stringify(refused) + String(refused)).not.toContain('hunter2');
    expect(elsewhere.requests).toEqual([]);
  });

  it.each<[string, number, string]>([
    ['a page', 200, '<html>hello</html>'],
    ['something else', 200, '{"hello":"there"}'],
    ['nothing', 404, ''],
    ['a failure', 500, '{"error":"InternalError","message":"disk full at /srv/chroma"}'],
    ['a busy proxy', 429, ''],
  ])('that leads to %s is refused, without a word of what is there', async (_title, status, body) => {
    await using front = await startFront(chroma.url);
    front.before = (_request, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
      return true;
    };
    const store = storeAt({ url: front.url });
    const calls = [
      () => store.check(signal),
      () => store.collections('', signal),
      () => store.upsert('c', pointing(1), signal),
    ];
    for (const call of calls) {
      const refused: unknown = await call().catch((error: Error) => error);
      expect(refused).toMatchObject({ code: 'not_ready' });
      expect(String(refused)).not.toMatch(/html|hello|srv|127\.0\.0\.1/);
    }
  });
});
