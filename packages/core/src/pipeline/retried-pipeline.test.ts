import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Issue } from '../issue/issue.ts';
import { NEW_PIPELINE } from './pipeline-state.ts';
import { retriedPipeline } from './retried-pipeline.ts';
import { stageRound } from './stage-round.ts';
import { stages, type WorkerStage } from './stages.ts';

const worked = stages.filter((stage): stage is WorkerStage => stage !== 'human_review');

describe('the pipeline of an issue that is retried', () => {
  /** What the pipeline does to the counts in between: another plan, or a way back to the coder. */
  const moves = fc.array(fc.constantFrom('plan', 'tests_red', 'review_refused', ...worked), { maxLength: 30 });

  it('never comes to a stage in a round that was before, whatever failed in between', () => {
    fc.assert(
      fc.property(moves, (happened) => {
        let issue = { pipeline: NEW_PIPELINE, plan: null } as Issue;
        const after = (move: (typeof happened)[number]): Issue => {
          const { pipeline } = issue;
          const implement_round = Math.max(pipeline.implement_round, 1) + 1;
          if (move === 'tests_red') {
            return {
              ...issue,
              pipeline: { ...pipeline, implement_round, test_send_backs: pipeline.test_send_backs + 1 },
            };
          }
          if (move === 'review_refused') {
            const review_send_backs = pipeline.review_send_backs + 1;
            return { ...issue, pipeline: { ...pipeline, implement_round, review_send_backs } };
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

  it('begins the bounds again, and keeps what was found out', () => {
    const pipeline = { ...NEW_PIPELINE, branch: 'b', implement_round: 3, test_send_backs: 3, review_send_backs: 2 };
    expect(retriedPipeline({ pipeline, stage: 'test' })).toEqual({
      ...pipeline,
      test_send_backs: 0,
      review_send_backs: 0,
      past_rounds: { test: 1, review: 2 },
    });
  });
});
