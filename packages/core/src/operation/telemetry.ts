import type { AgentRole } from '../agent/agent-runner.ts';
import type { IssueId, UserId } from '../id/id.ts';
import type { DeliveryStatus } from '../notification/delivery.ts';
import type { NotificationChannel } from '../notification/notification-target.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { Usage } from '../pipeline/usage.ts';

/** Metrics and traces. The methods never wait, and throw only what the work throws. */
export interface Telemetry {
  modelAnswered(answer: {
    readonly userId: UserId;
    readonly role: AgentRole;
    readonly model: string;
    readonly usage: Usage;
  }): void;
  /** Runs a stage and attributes all calls below it to that stage. */
  duringStage<T>(
    run: {
      readonly issueId: IssueId;
      readonly stage: Stage;
      readonly attempt: number;
      /** The time in the queue, for the first attempt at the first stage; otherwise null. */
      readonly waitedMs: number | null;
    },
    work: () => Promise<T>,
  ): Promise<T>;
  stageEnded(run: {
    readonly stage: Stage;
    readonly outcome: 'completed' | 'failed';
    readonly durationMs: number;
  }): void;
  /** The quality of the first search, by the files that were finally changed. Both are between 0 and 1. */
  retrievalJudged(judgement: { readonly precision: number; readonly recall: number }): void;
  /** An attempt to deliver a notification ended; `pending`: another one follows. */
  notificationAttempted(attempt: { readonly channel: NotificationChannel; readonly status: DeliveryStatus }): void;
}

/** A dependency that the readiness probe checks. `check` rejects when it is unreachable, or when the signal fires. */
export interface HealthCheck {
  check(signal: AbortSignal): Promise<void>;
}
