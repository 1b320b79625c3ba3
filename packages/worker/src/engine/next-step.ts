import { type Issue, type NewStep, pipelineStages, stageRound, type WorkedStage } from '@sluice/core';

/** The stage run that begins when the pipeline has come to `stage`. */
export function nextStep(stage: WorkedStage, issue: Issue): NewStep {
  return { stage, round: stageRound(stage, issue), agent: pipelineStages[stage].agent };
}
