import type { PictureCodec } from '@sluice/core/attachment';
import type { IssueId } from '@sluice/core/id';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Login, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
let ada: Login;
let bob: Login;
beforeEach(async () => {
  api = await startApi();
  ada = await api.login();
  bob = await api.login();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

const log = Buffer.from('GET / 500\n');
const png = Buffer.from('89504e470d0a1a0a00ff', 'hex');

const upload = (content: Uint8Array, mediaType = 'text/plain', { as = ada, name = 'server.log' } = {}) =>
  api.call('POST', '/api/attachments', {
    as,
    json: { name, media_type: mediaType, data: Buffer.from(content).toString('base64') },
  });
const read = (id: unknown, as: Login | undefined) => api.call('GET', `/api/attachments/${id}`, { as });

describe('POST /api/attachments', () => {
  it('stores a text, which only its uploader sees while no issue has used it', async () => {
    const uploaded = await upload(log);
    expect([uploaded.status, uploaded.body]).toMatchObject([
      201,
      { name: 'server.log', media_type: 'text/plain', bytes: log.length, width: null, issue_id: null },
    ]);
    expect(uploaded.headers.get('location')).toBe(`/api/attachments/${uploaded.body.id}`);
    const own = await read(uploaded.body.id, ada);
    expect([own.status, own.text]).toEqual([200, log.toString()]);
    expect((await read(uploaded.body.id, bob)).body.code).toBe('attachment_not_found');
    expect((await read(uploaded.body.id, undefined)).status).toBe(401);
  });

  it.each([
    ['a page', Buffer.from('<script>alert(1)</script>'), 'text/html', 'attachment_type_unsupported'],
    ['an SVG', Buffer.from('<svg/>'), 'image/svg+xml', 'attachment_type_unsupported'],
    ['a text that is none', Buffer.from([0x61, 0xff, 0x62]), 'text/plain', 'attachment_unreadable'],
    ['a text with a NUL', Buffer.from('a\0b'), 'text/csv', 'attachment_unreadable'],
    ['an empty file', Buffer.alloc(0), 'text/plain', 'attachment_unreadable'],
    ['a picture that the codec refuses', Buffer.from('GIF'), 'image/png', 'attachment_unreadable'],
  ])('refuses %s', async (...[, content, mediaType, code]) => {
    const refused = await upload(content, mediaType);
    expect([refused.status, refused.body.code]).toEqual([400, code]);
  });

  it('takes a body of more than 1 MiB here alone, and none of more than 14', async () => {
    const large = Buffer.alloc(9 << 20, 'a');
    expect((await upload(large)).body).toMatchObject({ bytes: large.length });
    const tooLarge = await upload(Buffer.alloc(11 << 20, 'a'));
    expect([tooLarge.status, tooLarge.body.code, tooLarge.body.detail]).toEqual([
      413,
      'body_too_large',
      'The body is larger than 14 MiB.',
    ]);
    const elsewhere = await api.call('POST', '/api/issues', { as: ada, json: { title: 'x'.repeat(2 << 20) } });
    expect([elsewhere.status, elsewhere.body.code]).toEqual([413, 'body_too_large']);
  });
});

describe('the uploads that are in memory at once', () => {
  /** Each picture that is being drawn waits for its turn. */
  const drawing: { readonly signal: AbortSignal; finish(): void }[] = [];
  const pictures: PictureCodec = {
    draw: ({ content, mediaType, signal }) =>
      new Promise((resolve, reject) => {
        drawing.push({ signal, finish: () => resolve({ content, mediaType, width: 20, height: 10 }) });
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  };
  const drawn = (count: number) => expect.poll(() => drawing.length).toBe(count);
  beforeEach(async () => {
    await api[Symbol.asyncDispose]();
    drawing.length = 0;
    api = await startApi({ ports: { pictures } });
    ada = await api.login();
    bob = await api.login();
  });

  it('are one of each user and two of all: a third user is asked to try again in a second', async () => {
    const held = [upload(png, 'image/png')];
    await drawn(1);
    const ofAda = await upload(log);
    expect([ofAda.status, ofAda.body.code, ofAda.headers.get('retry-after')]).toEqual([503, 'uploads_busy', '1']);
    expect(ofAda.body.detail).toMatch(/^Another file of yours /);

    held.push(upload(png, 'image/png', { as: bob }));
    await drawn(2);
    const cleo = await api.login();
    const third = await upload(log, 'text/plain', { as: cleo });
    expect([third.status, third.body.code, third.headers.get('retry-after')]).toEqual([503, 'uploads_busy', '1']);
    expect(third.body.detail).toBe('Too many files are being uploaded at this moment.');
    // What is no upload goes on.
    expect((await api.call('GET', '/api/issues', { as: cleo })).status).toBe(200);

    drawing[0]?.finish();
    expect((await held[0])?.status).toBe(201);
    expect((await upload(log, 'text/plain', { as: cleo })).status).toBe(201);
    drawing[1]?.finish();
    expect((await held[1])?.status).toBe(201);
  });

  it('make room when one is refused, and when its client leaves', async () => {
    expect((await upload(Buffer.from('<svg/>'), 'image/svg+xml')).status).toBe(400);
    expect((await upload(Buffer.alloc(11 << 20, 'a'))).status).toBe(413);
    const leaving = new AbortController();
    const left = fetch(`${api.url}/api/attachments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: ada.cookie },
      body: JSON.stringify({ name: 'a.png', media_type: 'image/png', data: png.toString('base64') }),
      signal: leaving.signal,
    });
    await drawn(1);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(() => drawing[0]?.signal.aborted).toBe(true);
    await expect.poll(async () => (await upload(log)).status).toBe(201);
  });
});

describe('GET /api/attachments/{id}', () => {
  it('sends a picture as it is stored, which no browser takes for anything else', async () => {
    const { body } = await upload(png, 'image/png', { name: 'bild "ü".png' });
    const answer = await read(body.id, ada);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'content-disposition': "inline; filename*=UTF-8''bild%20%22%C3%BC%22.png",
      'cache-control': 'private, max-age=3600, immutable',
    });
  });

  it('sends texts as downloads', async () => {
    const { body } = await upload(Buffer.from('<b>bold</b>'));
    const { headers } = await read(body.id, ada);
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('is for those who may read the issue, once an issue has used it', async () => {
    const { body } = await upload(log);
    const issue = await api.issue(ada);
    const noted = await api.call('POST', `/api/issues/${issue.id}/messages`, {
      as: ada,
      json: { text: 'Look at the log.', attachments: [body.id] },
    });
    expect(noted.status).toBe(202);
    expect((await read(body.id, bob)).body.code).toBe('not_owner');
    const listed = await api.call('GET', `/api/issues/${issue.id}/attachments`, { as: ada });
    expect(listed.body.items).toMatchObject([{ id: body.id, issue_id: issue.id }]);
    expect((await api.call('GET', `/api/issues/${issue.id}/attachments`, { as: bob })).body.code).toBe('not_owner');
    const history = await api.call('GET', `/api/issues/${issue.id}/history`, { as: ada });
    expect((history.body.items as object[]).at(-1)).toMatchObject({ data: { attachments: [body.id] } });
  });
});

it('refuses a note, and writes nothing, when an attachment is not the sender’s', async () => {
  const { body } = await upload(log, 'text/plain', { as: bob });
  const issue = await api.issue(ada);
  const refused = await api.call('POST', `/api/issues/${issue.id}/messages`, {
    as: ada,
    json: { text: 'Look.', attachments: [body.id] },
  });
  expect([refused.status, refused.body.code]).toEqual([400, 'attachment_unusable']);
  expect(await api.stores.runs.notes(issue.id as IssueId)).toEqual([]);
});
