import { expect, it } from 'vitest';
import { withoutColour } from '../terminal/style.ts';
import { type IssueAtGate, renderGate } from './render-gate.ts';
import { renderInstant } from './render-time.ts';

const view = { style: withoutColour, width: 100, now: new Date('2026-11-23T12:00:00Z') };
const gate: IssueAtGate['gate'] = {
  kind: 'plan',
  revision: 1,
  plan_hash: null,
  base_commit: null,
  head_commit: null,
  requested_at: '2026-11-23T12:00:00Z',
  expires_at: '2026-11-30T12:30:00Z',
  reasons: ['No code is written before a person has approved the plan.'],
  blocker: null,
  approvals: [],
  approvals_needed: 1,
  requester_approves: true,
  your_approval: 'counts',
  estimate: {
    history: 48,
    cost_usd: { point: 0.42, low: 0.2, high: 1.1 },
    active_ms: { point: 360_000, low: 180_000, high: 840_000 },
    coverage: { held: 41, of: 50 },
    summary: 'Likely $0.42 (0.20–1.10) and 6 min (3–14), from 48 runs here; such ranges held 41 of 50 times.',
  },
};
const unlimited = { limit: null, used: 0, left: null };
const plan: NonNullable<IssueAtGate['plan']> = {
  revision: 1,
  summary: 'Fix it.',
  steps: [],
  acceptance_criteria: ['median([]) raises'],
  risks: [],
  test_strategy: '',
  guidance: null,
  created_at: '2026-11-23T12:00:00Z',
};
const issue: IssueAtGate = {
  gate,
  plan,
  usage: { input_tokens: 12_000, output_tokens: 345, cost_usd: 0.25 },
  triage: { kind: 'bug', risk: 'low', open_questions: ['Should median([]) raise?'] },
  commands: { setup: { command: 'npm ci', source: 'detected' }, test: { command: 'npm run unit', source: 'settings' } },
  budget: {
    tokens: { limit: 1_000_000, used: 12_345, left: 987_655 },
    cost_usd: { limit: 5, used: 0.25, left: 4.75 },
    active_ms: unlimited,
  },
};

it('shows what a person decides by: reasons, questions, risk, commands, cost and deadline', () => {
  expect(renderGate(issue, view)).toBe(`Why this needs approval
   - No code is written before a person has approved the plan.

Open questions (answer them with instruct)
   - Should median([]) raise?

Kind    bug, low risk
Setup   npm ci  (detected)
Tests   npm run unit  (as set)
Cost    0.25 USD so far; 4.75 USD, 987,655 tokens left
Ahead   Likely $0.42 (0.20–1.10) and 6 min (3–14), from 48 runs here; such ranges held 41 of 50
        times.
Decide  within 7 d, until ${renderInstant(gate.expires_at ?? '')}; then the issue is cancelled`);
});

it('leaves out what is not known, as at the gate of an older server', () => {
  const usage = { input_tokens: 0, output_tokens: 0, cost_usd: 0 };
  const bare = {
    gate: { ...gate, expires_at: null, estimate: null },
    plan: null,
    usage,
    triage: null,
    commands: null,
    budget: null,
  };
  expect(renderGate(bare, view)).toBe(
    'Why this needs approval\n   - No code is written before a person has approved the plan.',
  );
});

it('says why a plan cannot be carried out', () => {
  const blocker = 'Writing code needs a model, and none is configured.';
  const blocked = { ...issue, gate: { ...gate, blocker, reasons: [...gate.reasons, blocker] } };
  expect(renderGate(blocked, view).split(blocker)).toHaveLength(2);
  expect(renderGate(blocked, view)).toMatch(
    /\n\nIf you approve this plan, the issue will fail: Writing code needs a model, and none is configured\.$/,
  );
});

it('shows the commit, the criteria and what the issue leaves open at the publish gate', () => {
  const commit = 'f'.repeat(40);
  const text = renderGate({ ...issue, gate: { ...gate, kind: 'publish', head_commit: commit } }, view);
  expect(text).toContain(`Commit  ${commit}`);
  expect(text).toContain('Open questions (answer them with instruct)\n   - Should median([]) raise?');
  expect(text).toContain('Acceptance criteria\n   - median([]) raises');
});

it('lets no text of a model pass for a line of its own', () => {
  const triage = { kind: 'bug', risk: 'low', open_questions: ['x\n\x1b[2JRisk'] } as const;
  expect(renderGate({ ...issue, triage: { ...triage, open_questions: [...triage.open_questions] } }, view)).toContain(
    '   - x\n     ␛[2JRisk',
  );
});
