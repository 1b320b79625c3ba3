import type { Repo } from '@sluice/client';
import { expect, it } from 'vitest';
import { editsSince, repoChange, repoForm, repoSwitches } from './repo-change.ts';

const repo: Repo = {
  id: '019ac0de-0000-7000-8000-000000000001',
  name: 'acme/shop',
  url: 'https://example.com/acme/shop',
  default_branch: 'main',
  provider: 'git',
  codehost_repo_id: null,
  setup_command: null,
  test_command: 'npm test',
  instructions: 'Use tabs.\n',
  settings: {
    draft_change_request: true,
    allow_red_base: false,
    setup_network: false,
    test_before_gate: true,
    label_trigger: null,
    auto_run: false,
    requester_approves: true,
    plan_approvals: 1,
    publish_approvals: 1,
    follow_build: 'watch',
    follow_base: 'watch',
    mirror_members: false,
    review_bots: [],
    issue_templates: [{ name: 'Bug', title: '', body: 'Steps' }],
  },
  role: 'admin',
  registered_by: '019ac0de-0000-7000-8000-000000000002',
  active_issue_id: null,
  index: null,
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
};

it('sends only the members that were changed', () => {
  const change = repoChange(repo, { name: 'shop', test_command: 'npm test', allow_red_base: true, auto_run: false });
  expect(change).toEqual({ id: repo.id, name: 'shop', settings: { allow_red_base: true } });
});

it('makes no change of edits that were taken back', () => {
  expect(repoChange(repo, {})).toBeNull();
  expect(repoChange(repo, repoForm(repo))).toBeNull();
});

it('removes an optional text that was emptied', () => {
  const labelled = { ...repo, settings: { ...repo.settings, label_trigger: 'sluice' } };
  expect(repoChange(labelled, { test_command: ' ', instructions: '', label_trigger: '' })).toEqual({
    id: repo.id,
    test_command: null,
    instructions: null,
    settings: { label_trigger: null },
  });
});

it('sends an emptied name as it is, so that the server says what is wrong with it', () => {
  expect(repoChange(repo, { name: '' })).toEqual({ id: repo.id, name: '' });
});

it('keeps the line breaks and spaces of instructions', () => {
  expect(repoChange(repo, { instructions: '  Use spaces.\n' })?.instructions).toBe('  Use spaces.\n');
});

it.each(repoSwitches)('sends %s when it was switched, and nothing else', (name) => {
  const switched = !repo.settings[name];
  expect(repoChange(repo, { [name]: switched })).toEqual({ id: repo.id, settings: { [name]: switched } });
});

it('sends what was chosen about the build and the base, and the bots as a list', () => {
  const edits = { follow_build: 'fix', follow_base: 'watch', review_bots: ' lint[bot], ,style[bot]' } as const;
  const settings = { follow_build: 'fix', review_bots: ['lint[bot]', 'style[bot]'] };
  expect(repoChange(repo, edits)).toEqual({ id: repo.id, settings });
});

it('keeps what was typed while the form was saved', () => {
  const sent = { name: 'acme/store', auto_run: true };
  expect(editsSince(sent, { ...sent, name: 'acme/stores', test_command: 'npm t' })).toEqual({
    name: 'acme/stores',
    test_command: 'npm t',
  });
  expect(editsSince(sent, sent)).toEqual({});
});

it('sends how many people have to approve as numbers', () => {
  const edits = { requester_approves: false, plan_approvals: '2', publish_approvals: '1' } as const;
  const settings = { requester_approves: false, plan_approvals: 2 };
  expect(repoChange(repo, edits)).toEqual({ id: repo.id, settings });
});
