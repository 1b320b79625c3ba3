import type { PipelineState } from '@sluice/core';
import type { StageDone } from './stage-end.ts';

/** Sends the pipeline back to the coder, who reads `feedback` first. A new round: its journal is empty. */
export function sendBack(
  pipeline: PipelineState,
  why: { feedback: string; detail: string; pipeline: Partial<PipelineState> },
): StageDone {
  return {
    trigger: 'stage_advanced',
    next: 'implement',
    detail: why.detail,
    pipeline: {
      ...why.pipeline,
      feedback: why.feedback,
      implement_round: Math.max(pipeline.implement_round, 1) + 1,
    },
  };
}
