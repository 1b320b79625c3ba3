import type { IssueId } from '@sluice/core/id';
import { newId } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Login, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
let ada: Login;
let id: string;
beforeEach(async () => {
  api = await startApi();
  ada = await api.login();
  ({ id } = await api.issue(ada));
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

const send = (json: unknown, as: Login | undefined = ada, issueId = id) =>
  api.call('POST', `/api/issues/${issueId}/messages`, { as, json });
const notes = async () => (await api.stores.runs.notes(id as IssueId)).map(({ text }) => text);

describe('POST /api/issues/{id}/messages', () => {
  it('leaves a note for the agent, as an event, and answers 202 without a body', async () => {
    const text = 'Leave the API.\n  Ünïcode 😀 stays.';
    const answer = await send({ text });
    expect([answer.status, answer.text]).toEqual([202, '']);
    expect(await notes()).toEqual([text]);
    const history = await api.call('GET', `/api/issues/${id}/history`, { as: ada });
    const items = history.body.items as object[];
    expect(items.at(-1)).toMatchObject({ type: 'user.message', data: { text } });
  });

  it('leaves one note for the same idempotency key, however often it is sent', async () => {
    const keyed = (text: string) =>
      api.call('POST', `/api/issues/${id}/messages`, {
        as: ada,
        json: { text },
        headers: { 'idempotency-key': 'one' },
      });
    const answers = [await keyed('Leave the API.'), await keyed('Leave the API.')];
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [202, ''],
      [202, ''],
    ]);
    expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(await notes()).toEqual(['Leave the API.']);
    expect((await keyed('Another.')).body.code).toBe('idempotency_key_reused');
  });

  it('answers 409 unless the issue is running, and leaves nothing', async () => {
    await api.toGate(id);
    const paused = await send({ text: 'Hello?' });
    expect([paused.status, paused.body.code]).toEqual([409, 'issue_not_running']);
    expect(paused.body.detail).toContain('awaiting_approval');
    await api.call('DELETE', `/api/issues/${id}`, { as: ada });
    expect((await send({ text: 'Hello?' })).body.code).toBe('issue_not_running');
    expect(await notes()).toEqual([]);
  });

  it('keeps every one of many that come at once', async () => {
    const texts = Array.from({ length: 12 }, (_, index) => `note ${index}`);
    const answers = await Promise.all(texts.map((text) => send({ text })));
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 202));
    expect((await notes()).sort()).toEqual([...texts].sort());
  });

  it('has kept exactly those that it took when the issue is cancelled meanwhile', async () => {
    const cancel = () => api.call('DELETE', `/api/issues/${id}`, { as: ada });
    const acts = [send({ text: '1' }), send({ text: '2' }), cancel(), send({ text: '3' }), send({ text: '4' })];
    const statuses = (await Promise.all(acts)).map(({ status }) => status);
    expect(statuses[2]).toBe(204);
    expect(await notes()).toHaveLength(statuses.filter((status) => status === 202).length);
    expect((await send({ text: '5' })).status).toBe(409);
  });

  it.each([
    ['no text', {}],
    ['an empty text', { text: '' }],
    ['blanks', { text: ' \n ' }],
    ['8,001 characters', { text: 'a'.repeat(8_001) }],
    ['a number', { text: 1 }],
    ['null', { text: null }],
    ['a list', { text: ['a'] }],
    ['another member', { text: 'a', role: 'system' }],
    ['the id once more', { text: 'a', id: newId() }],
    ['a NUL', { text: 'a\0' }],
    ['half a surrogate pair', { text: '\ud83d' }],
  ])('answers 400 for %s', async (_, json) => {
    const { status, body } = await send(json);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(await notes()).toEqual([]);
  });

  it('takes 8,000 characters, and refuses a body of more than a mebibyte', async () => {
    expect((await send({ text: '😀'.repeat(8_000) })).status).toBe(202);
    const huge = await send({ text: 'a'.repeat(1_100_000) });
    expect([huge.status, huge.body.code]).toEqual([413, 'body_too_large']);
  });

  it('answers 401, 403 and 404 to whom it does not concern', async () => {
    const eve = await api.login();
    const anonymous = await api.call('POST', `/api/issues/${id}/messages`, { json: { text: 'a' } });
    const answers = [anonymous, await send({ text: 'a' }, eve), await send({ text: 'a' }, ada, newId())];
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 404]);
    expect(await notes()).toEqual([]);
  });
});
