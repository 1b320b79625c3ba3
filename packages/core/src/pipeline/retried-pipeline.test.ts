import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../error/app-error.ts';
import type { ErrorCode } from '../error/error-catalog.ts';
import type { Issue } from '../issue/issue.ts';
import { type CommandSettings, NEW_PIPELINE, nextImplementRound, type Prepared } from './pipeline-state.ts';
import { keptByRetry, preparesAgain, retriedPipeline } from './retried-pipeline.ts';
import { stageRound } from './stage-round.ts';
import { type Stage, stages, type WorkerStage } from './stages.ts';

const worked = stages.filter((stage): stage is WorkerStage => stage !== 'human_review');

describe('a retry', () => {
  it.each<[ErrorCode, string]>([
    ['agent_stuck', 'conversation'],
    ['agent_turns_exceeded', 'conversation'],
    ['agent_output_invalid', 'conversation'],
    ['agent_blocked', 'conversation'],
    ['nothing_changed', 'conversation'],
    ['stage_timeout', 'conversation'],
    ['model_context_full', 'tree'],
    ['model_request_refused', 'tree'],
    ['internal', 'tree'],
    ['workspace_lost', 'nothing'],
    ['review_refused', 'nothing'],
  ])('after %s keeps: %s', (code, kept) => {
    expect(keptByRetry(new AppError(code))).toBe(kept);
  });
});

describe('the pipeline of an issue that is retried', () => {
  /** Moves between the counts: another plan, or a send-back to the coder. */
  const moves = fc.array(fc.constantFrom('plan', 'tests_red', 'review_refused', ...worked), { maxLength: 30 });

  it('never reuses a round of a stage, whatever failed in between', () => {
    fc.assert(
      fc.property(moves, (happened) => {
        let issue = { pipeline: NEW_PIPELINE, plan: null } as Issue;
        const after = (move: (typeof happened)[number]): Issue => {
          const { pipeline } = issue;
          const sentBack = { ...pipeline.rounds, implement: nextImplementRound(pipeline.rounds) };
          if (move === 'tests_red') {
            const rounds = { ...sentBack, test_send_backs: sentBack.test_send_backs + 1 };
            return { ...issue, pipeline: { ...pipeline, rounds } };
          }
          if (move === 'review_refused') {
            const rounds = { ...sentBack, review_send_backs: sentBack.review_send_backs + 1 };
            return { ...issue, pipeline: { ...pipeline, rounds } };
          }
          return { ...issue, pipeline: retriedPipeline({ pipeline, stage: move }) };
        };
        for (const move of happened) {
          const before = issue;
          issue = after(move);
          for (const stage of worked) {
            expect(stageRound(stage, issue)).toBeGreaterThanOrEqual(stageRound(stage, before));
          }
          if (move === 'tests_red' || move === 'review_refused') continue;
          expect(stageRound(move, issue)).toBe(stageRound(move, before) + 1);
        }
      }),
    );
  });

  it('starts the bounds again and keeps what was found', () => {
    const rounds = { ...NEW_PIPELINE.rounds, implement: 3, test_send_backs: 3, review_send_backs: 2 };
    const pipeline = { ...NEW_PIPELINE, branch: 'b', rounds };
    expect(retriedPipeline({ pipeline, stage: 'test' })).toEqual({
      ...pipeline,
      rounds: { ...rounds, test_send_backs: 0, review_send_backs: 0, past: { test: 1, review: 2 } },
    });
  });

  it('continues the same round where the failure was not the agent’s', () => {
    const rounds = { ...NEW_PIPELINE.rounds, implement: 2, test_send_backs: 1, resumable: true };
    const pipeline = { ...NEW_PIPELINE, rounds };
    expect(retriedPipeline({ pipeline, stage: 'implement' })).toEqual({
      ...pipeline,
      rounds: { ...rounds, resumable: false },
    });
  });
});

describe('a retry', () => {
  const before: CommandSettings = { setup_command: null, test_command: null, setup_network: false };
  const prepared: Prepared = {
    base_commit: 'b',
    tree: 't',
    setup_command: null,
    test_command: 'npm test',
    setup_source: null,
    test_source: 'detected',
    prepared_with: before,
    base_test: null,
  };
  const old = { ...prepared, prepared_with: null };
  const run = { command: 'npm test', duration_ms: 5, failing: [], ended_by: null };
  const of = (state: Prepared | null, stage: Stage | null = 'implement') => ({
    pipeline: { ...NEW_PIPELINE, prepared: state },
    stage,
  });

  it.each([
    ['the network of the setup is on', of(prepared), { ...before, setup_network: true }],
    ['another setup command is set', of(prepared, 'plan'), { ...before, setup_command: 'make deps' }],
    ['another test command is set', of(prepared, 'test'), { ...before, test_command: 'make' }],
    ['a command is no longer set', of({ ...prepared, prepared_with: { ...before, setup_command: 'x' } }), before],
    ['an older release prepared it without the network', of(old), { ...before, setup_network: true }],
    ['an older release prepared it with other commands', of(old), { ...before, test_command: 'make' }],
    [
      'its test command could not run',
      of({ ...prepared, base_test: { ...run, exit_code: 127, output_tail: 'sh: 1: vitest: not found' } }),
      before,
    ],
  ])('prepares the issue again when %s', (_, issue, now) => {
    expect(preparesAgain(issue, now)).toBe(true);
  });

  const other = { ...before, setup_command: 'make deps' };
  it.each([
    ['nothing has changed', of(prepared), before],
    ['the tests failed at the base', of({ ...prepared, base_test: { ...run, exit_code: 1, output_tail: '' } }), before],
    [
      'an older release prepared it with these commands',
      of(old),
      { ...before, setup_command: ' ', test_command: 'npm test' },
    ],
    ['it was not prepared yet', of(null, 'prepare'), other],
    ['only the push failed', of(prepared, 'publish'), other],
  ])('does not when %s', (_, issue, now) => {
    expect(preparesAgain(issue, now)).toBe(false);
  });
});
