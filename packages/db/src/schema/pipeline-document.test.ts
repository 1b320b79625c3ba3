import { NEW_PIPELINE, type PipelineState } from '@sluice/core/pipeline';
import { describe, expect, it } from 'vitest';
import { type PipelineDocument, pipelineForm } from './pipeline-document.ts';

const { toStored, fromStored } = pipelineForm;
const baseTest = { command: 'make', exit_code: 1, duration_ms: 5, failing: ['a'], output_tail: '', ended_by: null };
const tests = {
  command: 'make',
  verdict: 'green',
  exit_code: 0,
  duration_ms: 5,
  base_exit_code: 1,
  new_failures: [],
} as const;
const review = { decision: 'approve', summary: 's', findings: ['f'] } as const;
const findings = [{ kind: 'scratch_file', path: 'x.orig', line: null, detail: 'd' }] as const;
const triage = { kind: 'bug', summary: 's', acceptance_criteria: [], risk: 'low', open_questions: [] } as const;

/** A state that every stage has written to. */
const whole = {
  branch: 'sluice/1-sum',
  follow_up: { kind: 'build', head_commit: 'c', round: 1, jobs: ['unit'] },
  warnings: ['hidden text'],
  budget: { limit: { tokens: 5, cost_usd: null, active_ms: null }, warned: true, cost_unknown: true },
  prepared: {
    base_commit: 'b',
    tree: 't',
    setup_command: 'npm ci',
    test_command: 'make',
    setup_source: 'detected',
    test_source: 'settings',
    prepared_with: { setup_command: null, test_command: 'make', setup_network: true },
    base_test: baseTest,
    environment: 'Versions: node v24',
  },
  resume_at: 'implement',
  triage,
  planning: { guidance: 'Use BigInt.', base_moved: ['a.js'], retrieved: ['b.js'] },
  approved: { revision: 2, plan_hash: 'h', base_commit: 'b' },
  rounds: { implement: 3, test_send_backs: 1, review_send_backs: 1, past: { review: 2 }, resumable: true },
  ended: { stage: 'implement', round: 2, reason: 'stuck', keeps: 'conversation' },
  feedback: 'red',
  implementation: {
    summary: 'Fixed.',
    head_commit: 'c',
    outside_plan: [{ path: 'x', reason: null }],
    ran: [{ command: 'make test', result: 'exit code 0' }],
    made_by: ['m'],
    tests,
    review,
    findings,
  },
  remark_answers: [{ id: 'line-7', outcome: 'done', answer: 'Renamed it.' }],
  testing: { must_pass: ['a'], reproduction_asked: true },
  publication: { head_commit: 'c', asked: ['.drone.yml'], confirmed: null, change_request: { number: 7, url: 'u' } },
  reminded_at: '2026-11-20T09:15:00.000Z',
} as unknown as PipelineState;

describe('the stored document of a pipeline', () => {
  it('keeps the form that the release before reads', () => {
    expect(toStored(whole)).toEqual({
      branch: 'sluice/1-sum',
      follow_up: { kind: 'build', head_commit: 'c', round: 1, jobs: ['unit'] },
      warnings: ['hidden text'],
      base_commit: 'b',
      tree: 't',
      setup_command: 'npm ci',
      test_command: 'make',
      setup_source: 'detected',
      test_source: 'settings',
      prepared_with: { setup_command: null, test_command: 'make', setup_network: true },
      base_test: baseTest,
      environment: 'Versions: node v24',
      resume_at: 'implement',
      triage,
      guidance: 'Use BigInt.',
      base_moved: ['a.js'],
      retrieved: ['b.js'],
      approved: { revision: 2, plan_hash: 'h', base_commit: 'b' },
      budget: { tokens: 5, cost_usd: null, active_ms: null },
      budget_warned: true,
      cost_unknown_told: true,
      implement_round: 3,
      past_rounds: { review: 2 },
      test_send_backs: 1,
      review_send_backs: 1,
      round_goes_on: true,
      ended_round: { stage: 'implement', round: 2, reason: 'stuck', keeps: 'conversation' },
      feedback: 'red',
      implementation: {
        summary: 'Fixed.',
        head_commit: 'c',
        outside_plan: [{ path: 'x', reason: null }],
        ran: [{ command: 'make test', result: 'exit code 0' }],
        made_by: ['m'],
        findings,
      },
      tests,
      review,
      remark_answers: [{ id: 'line-7', outcome: 'done', answer: 'Renamed it.' }],
      must_pass: ['a'],
      reproduction_asked: true,
      publication: {
        head_commit: 'c',
        asked: ['.drone.yml'],
        confirmed: null,
        change_request: { number: 7, url: 'u' },
      },
      reminded_at: '2026-11-20T09:15:00.000Z',
    });
  });

  it.each([
    ['a new pipeline', NEW_PIPELINE],
    ['one that every stage has written to', whole],
    ['a follow-up that has its branch before it is prepared', { ...NEW_PIPELINE, branch: 'b' }],
  ])('brings back %s as it was', (_, state) => {
    expect(fromStored(JSON.parse(JSON.stringify(toStored(state))))).toEqual(state);
  });

  it('reads an empty document as a new pipeline', () => {
    expect(fromStored({})).toEqual(NEW_PIPELINE);
  });

  it('reads what early releases wrote, which knew fewer keys', () => {
    const early: PipelineDocument = {
      branch: 'b',
      base_commit: 'c',
      setup_command: null,
      test_command: 'make',
      implementation: { summary: 's', head_commit: 'h' },
      implement_round: 1,
      publication: { head_commit: 'h', confirmed: null, change_request: null },
    };
    expect(fromStored(early)).toEqual({
      ...NEW_PIPELINE,
      branch: 'b',
      prepared: {
        base_commit: 'c',
        tree: '',
        setup_command: null,
        test_command: 'make',
        setup_source: null,
        test_source: null,
        prepared_with: null,
        base_test: null,
      },
      rounds: { ...NEW_PIPELINE.rounds, implement: 1 },
      implementation: {
        summary: 's',
        head_commit: 'h',
        outside_plan: [],
        ran: null,
        made_by: [],
        tests: null,
        review: null,
        findings: [],
      },
      publication: { head_commit: 'h', asked: [], confirmed: null, change_request: null },
    });
  });
});
