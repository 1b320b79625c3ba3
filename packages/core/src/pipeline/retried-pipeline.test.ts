import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Issue } from '../issue/issue.ts';
import { NEW_PIPELINE, nextImplementRound } from './pipeline-state.ts';
import { retriedPipeline } from './retried-pipeline.ts';
import { stageRound } from './stage-round.ts';
import { stages, type WorkerStage } from './stages.ts';

const worked = stages.filter((stage): stage is WorkerStage => stage !== 'human_review');

describe('the pipeline of an issue that is retried', () => {
  /** What happens to the counts in between: another plan, or a send-back to the coder. */
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
