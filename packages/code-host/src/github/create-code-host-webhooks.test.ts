import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCodeHostWebhooks } from './create-code-host-webhooks.ts';

const SECRET = 'a secret of the operator';
const webhooks = createCodeHostWebhooks(SECRET);
const repository = { id: 77, full_name: 'ada/engine' };

function delivery(event: string, payload: unknown, headers: Record<string, string | undefined> = {}) {
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
  const usual = {
    'x-github-event': event,
    'x-github-delivery': '0b989ba4-242f-11e5-81e1-c7b6966d2516',
    'x-hub-signature-256': signature,
  };
  return { headers: { ...usual, ...headers }, body };
}

describe('a signed delivery', () => {
  it.each([
    ['issues', { repository, issue: { number: 3 } }, 'issue', 3],
    ['issue_comment', { repository, issue: { number: 3 } }, 'issue', 3],
    ['issue_comment', { repository, issue: { number: 4, pull_request: { url: 'x' } } }, 'change_request', 4],
    ['pull_request', { repository, number: 5, pull_request: { number: 5 } }, 'change_request', 5],
    ['pull_request_review', { repository, pull_request: { number: 6 } }, 'change_request', 6],
    ['pull_request_review_comment', { repository, pull_request: { number: 7 } }, 'change_request', 7],
    ['member', { repository, action: 'removed', member: { login: 'bob' } }, 'members', 0],
    ['team_add', { repository, team: { slug: 'core' } }, 'members', 0],
  ])('of %s names the changed subject: %j', (event, payload, ...[kind, number]) => {
    expect(webhooks.read(delivery(event, payload))).toEqual({
      id: '0b989ba4-242f-11e5-81e1-c7b6966d2516',
      changed: { codehostRepoId: '77', kind, number },
    });
  });

  it.each([
    ['check_run', { check_run: { check_suite: { head_branch: 'sluice/1' }, pull_requests: [] } }, ['sluice/1']],
    ['check_suite', { check_suite: { head_branch: 'sluice/1' } }, ['sluice/1']],
    ['workflow_run', { workflow_run: { head_branch: 'sluice/1', conclusion: null } }, ['sluice/1']],
    ['status', { sha: 'f', branches: [{ name: 'sluice/1' }, { name: 'main' }] }, ['sluice/1', 'main']],
    ['push', { ref: 'refs/heads/release/2', after: 'f' }, ['release/2']],
  ])('of %s names the branches that it concerns: %j', (event, payload, branches) => {
    const changed = { codehostRepoId: '77', branches };
    expect(webhooks.read(delivery(event, { repository, ...payload }))).toMatchObject({ changed });
  });

  it.each([
    ['Revert "Sum"\n\nThis reverts commit 0badcafe0badcafe.', true],
    ['Revert "Sum" (#8)\n\nReverts ada/engine#7', true],
    ['Sum\n\nIt no longer reverts commit 0badcafe.', undefined],
  ])('of a push says whether it takes something back: %j', (message, reverts) => {
    const payload = { repository, ref: 'refs/heads/main', commits: [{ message: 'Add' }, { message }] };
    const changed = { codehostRepoId: '77', branches: ['main'], ...(reverts && { reverts }) };
    expect(webhooks.read(delivery('push', payload))?.changed).toEqual(changed);
  });

  it.each([
    ['ping', { zen: 'Speak like a human.', repository }],
    ['push', { repository, ref: 'refs/tags/v1' }],
    ['push', { repository }],
    ['check_run', { repository, check_run: { check_suite: { head_branch: null } } }],
    ['check_run', { repository, check_run: {} }],
    ['check_suite', { check_suite: { head_branch: 'sluice/1' } }],
    ['status', { repository, sha: 'f', branches: [] }],
    ['workflow_run', { repository, workflow_run: { head_branch: 3 } }],
    ['', { repository, issue: { number: 3 } }],
    ['issues', { issue: { number: 3 } }],
    ['issues', { repository, issue: { number: '3' } }],
    ['issues', { repository, issue: { number: -3 } }],
    ['issues', { repository, issue: { number: 2 ** 31 } }],
    ['pull_request', { repository, issue: { number: 3 } }],
    ['issues', 'payload=%7B%22a%22%3A1%7D'],
    ['issues', '{"repository": {"id": 77}, "issue"'],
    ['issues', 'null'],
  ])('of %s that does not concern us has no subject: %j', (event, payload) => {
    expect(webhooks.read(delivery(event, payload))).toMatchObject({ changed: null });
  });

  it('is identified by its body when its id is invalid', () => {
    const payload = { repository, issue: { number: 3 } };
    const ids = [undefined, '', 'two words', '../../x', 'x'.repeat(65)].map(
      (id) => webhooks.read(delivery('issues', payload, { 'x-github-delivery': id }))?.id,
    );
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is read with headers in any case', () => {
    const { headers, body } = delivery('issues', { repository, issue: { number: 3 } });
    const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    expect(webhooks.read({ headers: shouted, body })?.changed).toMatchObject({ number: 3 });
  });
});

describe('a delivery that is not signed with the secret', () => {
  const { headers, body } = delivery('issues', { repository, issue: { number: 3 } });
  const signature = headers['x-hub-signature-256'] ?? '';
  const other = createHmac('sha256', 'another secret').update(body).digest('hex');

  it.each([
    ['no signature', undefined],
    ['an empty one', ''],
    ['one by another secret', `sha256=${other}`],
    ['one without its scheme', signature.slice('sha256='.length)],
    ['one of the old scheme', `sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}`],
    ['a part of the right one', signature.slice(0, -1)],
    ['the right one and more', `${signature}0`],
    ['one of the right length in other signs', `sha256=${'é'.repeat(32)}`],
  ])('is not read: %s', (_, given) => {
    expect(webhooks.read({ headers: { ...headers, 'x-hub-signature-256': given }, body })).toBeNull();
  });

  it('is not read when one byte of its body differs', () => {
    const changed = Buffer.from(body);
    changed[changed.length - 1] = ' '.charCodeAt(0);
    expect(webhooks.read({ headers, body: changed })).toBeNull();
  });
});

it('refuses an empty secret', () => {
  expect(() => createCodeHostWebhooks('')).toThrow(/empty/);
});
