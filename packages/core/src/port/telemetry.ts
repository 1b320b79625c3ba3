import type { UserId } from '../id.ts';
import type { Usage } from '../issue/issue-result.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { AgentRole } from './agent-runner.ts';

/** What is counted while the service works. Never throws, never waits. */
export interface Telemetry {
  modelAnswered(answer: {
    readonly userId: UserId;
    readonly role: AgentRole;
    readonly model: string;
    readonly usage: Usage;
  }): void;
  stageEnded(run: {
    readonly stage: Stage;
    readonly outcome: 'completed' | 'failed';
    readonly durationMs: number;
  }): void;
  /** How well the first search did, by the files that were changed in the end; both from 0 to 1. */
  retrievalJudged(judgement: { readonly precision: number; readonly recall: number }): void;
}
