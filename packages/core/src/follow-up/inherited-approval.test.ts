import { describe, expect, it } from 'vitest';
import type { Issue } from '../issue/issue.ts';
import type { FollowUpCause } from '../pipeline/follow-up-cause.ts';
import { NEW_PIPELINE } from '../pipeline/pipeline-state.ts';
import type { Plan } from '../pipeline/plan.ts';
import { repoSettingsSchema } from '../repo/repo.ts';
import { approvalSource, filesOutside, renderOutsideApproval } from './inherited-approval.ts';

const planOf = (files: string[], more: Partial<Plan> = {}): Plan => ({
  revision: 1,
  summary: 's',
  steps: [{ title: 't', detail: 'd', files }],
  acceptance_criteria: [],
  risks: [],
  test_strategy: '',
  guidance: null,
  created_at: '2026-11-20T09:15:00.000Z',
  ...more,
});
const approved = { revision: 1, plan_hash: 'h', base_commit: 'b' };
const first = { plan: planOf(['./src/a.ts', 'src/b.ts']), pipeline: { ...NEW_PIPELINE, approved } } as Issue;
const build: FollowUpCause = { kind: 'build', head_commit: 'c', round: 1, jobs: [] };
const base: FollowUpCause = { kind: 'base', head_commit: 'c', base_branch: 'main', base_commit: 'b2' };
const issueOf = (follow_up: Issue['pipeline']['follow_up']) => ({ pipeline: { ...NEW_PIPELINE, follow_up } });
const settings = repoSettingsSchema.parse({ follow_build: 'fix', follow_base: 'merge' });
const asked = { issue: issueOf(build), plan: planOf(['src/a.ts']), blocker: null, first, settings };
const ownGate = (reasons: string[]) => ({ kind: 'own_gate', reasons });

describe('the approval of a follow-up', () => {
  it.each([
    ['a build', build],
    ['a moved base', base],
  ])('of %s is that of the first issue while it stays within the files of its plan', (_, cause) => {
    expect(approvalSource({ ...asked, issue: issueOf(cause) })).toEqual({ kind: 'inherited', first });
    expect(approvalSource({ ...asked, issue: issueOf(cause), plan: planOf([]) }).kind).toBe('inherited');
  });

  it('is its own where it touches other files, which it names', () => {
    const plan = planOf(['src/a.ts', 'src/c.ts', 'd\n.ts']);
    const reason = 'The follow-up touches files outside the approved plan: src/c.ts, ';
    const source = approvalSource({ ...asked, plan });
    expect(source).toEqual(ownGate([expect.stringContaining(reason)]));
    expect(JSON.stringify(source)).not.toContain('\\n');
  });

  it('is its own where it proposes a command, which would run', () => {
    const plan = planOf(['src/a.ts'], { test_command: 'npm test' });
    expect(approvalSource({ ...asked, plan })).toEqual(ownGate(['The plan proposes commands that were not approved.']));
  });

  it.each([
    ['of a comment', { issue: issueOf({ kind: 'comment' }) }],
    ['of before causes were recorded', { issue: issueOf(null) }],
    ['whose repository only watches builds', { settings: repoSettingsSchema.parse({ follow_base: 'merge' }) }],
    ['whose first issue is gone', { first: null }],
    ['whose first issue nobody approved', { first: { ...first, pipeline: NEW_PIPELINE } as Issue }],
    [
      'that a person has asked to be planned again',
      { plan: planOf(['src/a.ts'], { revision: 2, guidance: 'Again.' }) },
    ],
    ['that is known to fail', { blocker: 'No model is configured.' }],
  ])('is its own for one %s', (_, changed) => {
    expect(approvalSource({ ...asked, ...changed })).toEqual(ownGate([]));
  });
});

it('compares paths in the spelling of git', () => {
  expect(filesOutside(planOf(['./src/a.ts', '/b.ts']), ['src/a.ts', 'b.ts', 'c.ts'])).toEqual(['c.ts']);
  expect(renderOutsideApproval(['c.ts'])).toBe('The follow-up touches files outside the approved plan: c.ts.');
});
