import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Gate } from '../pipeline/gate.ts';
import { NEW_PIPELINE, type PipelineState } from '../pipeline/pipeline-state.ts';
import { stageRound } from '../pipeline/stage-round.ts';
import { publicationDecided } from './gate-change.ts';
import type { Issue } from './issue.ts';

const gate = (head_commit: string) => ({ kind: 'publish', head_commit }) as Gate;
const at = (pipeline: PipelineState) => ({ pipeline, plan: null }) as Issue;

describe('a decision at the publish gate', () => {
  const begun = fc.record({
    implement: fc.nat({ max: 5 }),
    test_send_backs: fc.nat({ max: 3 }),
    review_send_backs: fc.nat({ max: 2 }),
  });

  it('starts a new round of the coder and of the stages after it, with new bounds', () => {
    fc.assert(
      fc.property(begun, fc.nat({ max: 4 }), (counts, times) => {
        let pipeline: PipelineState = { ...NEW_PIPELINE, rounds: { ...NEW_PIPELINE.rounds, ...counts } };
        for (let time = 0; time <= times; time += 1) {
          const before = at(pipeline);
          pipeline = publicationDecided({ pipeline, gate: gate('a') }, 'Without the workflow.', 'instruct');
          for (const stage of ['implement', 'test', 'review', 'publish'] as const) {
            expect(stageRound(stage, at(pipeline))).toBeGreaterThan(stageRound(stage, before));
          }
          expect(pipeline.rounds).toMatchObject({ test_send_backs: 0, review_send_backs: 0 });
          expect(pipeline.feedback).toContain('Without the workflow.');
        }
      }),
    );
  });

  it('confirms the commit and the files that were asked for only', () => {
    const publication = { head_commit: 'a', asked: ['.drone.yml'], confirmed: null, change_request: null };
    const after = publicationDecided({ pipeline: { ...NEW_PIPELINE, publication }, gate: gate('a') }, null, 'approve');
    expect(after.publication?.confirmed).toEqual({ head_commit: 'a', files: ['.drone.yml'] });
  });

  it('changes nothing when it rejects', () => {
    expect(publicationDecided({ pipeline: NEW_PIPELINE, gate: gate('a') }, null, 'reject')).toBe(NEW_PIPELINE);
  });
});
