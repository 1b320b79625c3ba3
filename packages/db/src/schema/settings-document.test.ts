import { repoSettingsSchema } from '@sluice/core/repo';
import { expect, it } from 'vitest';
import { settingsForm } from './settings-document.ts';

const { toStored, fromStored } = settingsForm;

it('reads what the release before wrote, and writes what it reads', () => {
  const before = {
    draft_change_request: false,
    allow_red_base: true,
    setup_network: true,
    label_trigger: 'sluice',
    auto_run: false,
  };
  const settings = fromStored(before);
  expect(settings).toEqual({
    ...before,
    ...{ test_before_gate: true, issue_templates: [], follow_build: 'watch', follow_base: 'watch', review_bots: [] },
    ...{ requester_approves: true, plan_approvals: 1, publish_approvals: 1, mirror_members: false },
  });
  expect(toStored(settings)).toEqual(before);
});

it('brings back templates', () => {
  const settings = repoSettingsSchema.parse({ issue_templates: [{ name: 'Bug', title: '', body: '## Steps' }] });
  expect(fromStored(JSON.parse(JSON.stringify(toStored(settings))))).toEqual(settings);
});

it.each([true, false])('brings back a choice of %s', (test_before_gate) => {
  const settings = repoSettingsSchema.parse({ test_before_gate });
  expect(fromStored(JSON.parse(JSON.stringify(toStored(settings))))).toEqual(settings);
});

it('brings back what to do about the build, the base and review bots', () => {
  const settings = repoSettingsSchema.parse({ follow_build: 'fix', follow_base: 'off', review_bots: ['lint[bot]'] });
  expect(fromStored(JSON.parse(JSON.stringify(toStored(settings))))).toEqual(settings);
});

it('brings back whether members are mirrored', () => {
  const settings = repoSettingsSchema.parse({ mirror_members: true });
  expect(fromStored(JSON.parse(JSON.stringify(toStored(settings))))).toEqual(settings);
});

it('brings back who has to approve', () => {
  const settings = repoSettingsSchema.parse({ requester_approves: false, plan_approvals: 2, publish_approvals: 2 });
  expect(fromStored(JSON.parse(JSON.stringify(toStored(settings))))).toEqual(settings);
});
