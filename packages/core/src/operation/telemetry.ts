import type { AgentRole } from '../agent/agent-runner.ts';
import type { IssueId, UserId } from '../id/id.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { Usage } from '../pipeline/usage.ts';

/** What is counted and traced while the service works. Never throws of its own, never waits. */
export interface Telemetry {
  modelAnswered(answer: {
    readonly userId: UserId;
    readonly role: AgentRole;
    readonly model: string;
    readonly usage: Usage;
  }): void;
  /** Runs a stage; what is called meanwhile, anywhere below, is taken to be for it. */
  duringStage<T>(
    run: {
      readonly issueId: IssueId;
      readonly stage: Stage;
      readonly attempt: number;
      /** How long the issue waited in the queue, for the first run of its first stage; else null. */
      readonly waitedMs: number | null;
    },
    work: () => Promise<T>,
  ): Promise<T>;
  stageEnded(run: {
    readonly stage: Stage;
    readonly outcome: 'completed' | 'failed';
    readonly durationMs: number;
  }): void;
  /** How well the first search did, by the files that were changed in the end; both from 0 to 1. */
  retrievalJudged(judgement: { readonly precision: number; readonly recall: number }): void;
}
