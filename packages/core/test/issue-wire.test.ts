import { expect, it } from 'vitest';
import * as z from 'zod';
import { filterSchema, issueWire, toFullIssueWire, toIssueWire } from '../src/issue/issue-wire.ts';
import { NEW_PIPELINE } from '../src/pipeline/pipeline-state.ts';
import { anIssue } from './memory-issues.ts';

const limits = { tokens: 100, cost_usd: 0.3, active_ms: null };

it('tells of a single issue what an approver decides by: triage, commands, and what is left of the budget', () => {
  const issue = anIssue({
    usage: { input_tokens: 70, output_tokens: 40, cost_usd: 0.1 },
    pipeline: {
      ...NEW_PIPELINE,
      triage: {
        kind: 'bug',
        summary: 's',
        acceptance_criteria: [],
        risk: 'low',
        open_questions: ['Should median([]) throw?'],
      },
      prepared: {
        base_commit: 'c',
        tree: 't',
        setup_command: null,
        test_command: 'npm test',
        setup_source: null,
        test_source: 'detected',
        prepared_with: null,
        base_test: null,
      },
    },
  });
  expect(toFullIssueWire(issue, { limits, activeMs: 5_000 })).toMatchObject({
    triage: { kind: 'bug', risk: 'low', open_questions: ['Should median([]) throw?'] },
    commands: { setup: null, test: { command: 'npm test', source: 'detected' } },
    budget: {
      tokens: { limit: 100, used: 110, left: 0 },
      cost_usd: { limit: 0.3, used: 0.1, left: 0.2 },
      active_ms: { limit: null, used: 5_000, left: null },
    },
  });
});

it('counts what is left from the limits of the issue itself, and calls it unknown where a price is', () => {
  const own = { tokens: null, cost_usd: 2, active_ms: 60_000 };
  const pipeline = { ...NEW_PIPELINE, budget: { ...NEW_PIPELINE.budget, limit: own } };
  const issue = anIssue({ usage: { input_tokens: 1, output_tokens: 1, cost_usd: null }, pipeline });
  expect(toFullIssueWire(issue, { limits, activeMs: 20_000 }).budget).toEqual({
    tokens: { limit: null, used: 2, left: null },
    cost_usd: { limit: 2, used: null, left: null },
    active_ms: { limit: 60_000, used: 20_000, left: 40_000 },
  });
});

it('reads issues that a server of before has sent, which knew fewer members', () => {
  const { triage, commands, budget, follow_up, waits_for_repo, created_by, form, ...before } = toIssueWire(anIssue());
  expect(
    issueWire.parse({
      ...before,
      id: '0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f',
      repo_id: '0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f',
    }),
  ).toMatchObject({
    triage: null,
    commands: null,
    budget: null,
    follow_up: null,
    created_by: null,
    waits_for_repo: false,
    form: 'full',
  });
});

it.each([
  ['a default', z.enum(['low', 'high']).default('low')],
  ['no value in some issues', z.enum(['low', 'high']).nullable()],
  ['both', z.enum(['low', 'high']).nullable().default(null)],
])('narrows no list by a field with %s that is not asked for', (_what, wire) => {
  const filter = z.object({ priority: filterSchema(wire) });
  expect(filter.parse({})).toStrictEqual({});
  expect(filter.parse({ priority: 'high' })).toStrictEqual({ priority: 'high' });
  expect(filter.safeParse({ priority: null }).success).toBe(false);
});
