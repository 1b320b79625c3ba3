import { expect, it } from 'vitest';
import { attachedOf, withAttached } from '../attachments/attached.ts';
import { type Draft, emptyDraft, isUntouched, keepDraft, keptDraft, toRequest } from './draft.ts';

function memory() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

const draft: Draft = { ...emptyDraft, repoId: 'r', title: ' T ', body: 'B', attempt: { key: 'k', input: '{}' } };

it('keeps a draft for its user alone, and forgets an empty one', () => {
  const storage = memory();
  keepDraft(storage, 'ann', draft);
  expect(keptDraft(storage, 'ann')).toEqual(draft);
  expect(keptDraft(storage, 'eve')).toEqual(emptyDraft);
  keepDraft(storage, 'ann', { ...emptyDraft, repoId: 'r' });
  expect(storage.items.size).toBe(0);
});

it.each(['{', '{}', '[]', '"x"', '{"title":1}', JSON.stringify({ ...draft, attempt: {} })])(
  'starts an empty draft where %s was kept',
  (kept) => {
    const storage = memory();
    storage.setItem('sluice.draft.ann', kept);
    expect(keptDraft(storage, 'ann')).toEqual(emptyDraft);
  },
);

it('asks only for what was said', () => {
  expect(toRequest(draft)).toEqual({ repo_id: 'r', title: 'T', body: 'B' });
  expect(toRequest({ ...draft, baseBranch: ' dev ', labels: 'bug, , ui,bug', isQueued: true })).toEqual({
    repo_id: 'r',
    title: 'T',
    body: 'B',
    base_branch: 'dev',
    labels: ['bug', 'ui'],
    queue: true,
  });
});

it('sends the ids of uploaded files, whatever is in their names', () => {
  const files = [
    { id: 'a', name: 'my screen 2.png' },
    { id: 'b', name: 'b.log' },
  ];
  const attachments = withAttached(files);
  expect(attachedOf(attachments)).toEqual(files);
  expect(toRequest({ ...draft, attachments })).toMatchObject({ attachments: ['a', 'b'] });
  expect(attachedOf(emptyDraft.attachments)).toEqual([]);
});

it('lets a template replace nothing but an empty draft and another template', () => {
  const templates = [{ name: 'Bug', title: 'Bug: ', body: 'Steps' }];
  expect(isUntouched(emptyDraft, templates)).toBe(true);
  expect(isUntouched({ title: 'Bug: ', body: 'Steps' }, templates)).toBe(true);
  expect(isUntouched({ title: 'Bug: it fails', body: 'Steps' }, templates)).toBe(false);
});
