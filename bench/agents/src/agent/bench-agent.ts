import type { ModelChoice, ModelProvider } from '@sluice/agents';
import type { Sandbox } from '@sluice/core/workspace';
import type { TaskRepo } from '../repo/task-repo.ts';

/** A model that agents of a run share. */
export interface BenchModel {
  /** The configured name, e.g. `anthropic/claude-sonnet-4-5`. */
  readonly name: string;
  readonly provider: ModelProvider;
  /** Where the provider is reached, with the version's path. */
  readonly url: string;
  readonly choice: ModelChoice;
  /** What the service needs in its configuration to work with it. */
  readonly environment: Readonly<Record<string, string>>;
}

/** One agent's work on one task. */
export interface Trial {
  readonly instruction: string;
  /** The repository at the base. What is done there is not read but through the outcome's patch. */
  readonly repo: TaskRepo;
  /** An empty folder for the trajectory. */
  readonly folder: string;
  readonly setupCommand: string | null;
  readonly testCommand: string | null;
  readonly allowHosts: readonly string[];
  /** Null for agents that ask none. */
  readonly model: BenchModel | null;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
}

/** What an agent leaves behind. */
export interface AgentOutcome {
  /** `gave_up`: it said so itself, or reached a limit; what it left is still tested. */
  readonly ended: 'done' | 'gave_up';
  /** In a sentence, for people. */
  readonly detail: string;
  readonly patch: string;
  /** The model's cost in US dollars; null where a price is unknown. */
  readonly costUsd: number | null;
}

/** What works on tasks. */
export interface BenchAgent {
  readonly name: string;
  readonly usesModel: boolean;
  /** A hash over all that it tells a model on its own; null without a model. */
  readonly promptHash: string | null;
  /** @throws InfrastructureError when the surroundings failed and say nothing about the agent */
  work(trial: Trial): Promise<AgentOutcome>;
}

/** The machine, the sandbox or the provider failed: the trial counts neither as solved nor as unsolved. */
export class InfrastructureError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'InfrastructureError';
  }
}

/** Takes an error of the sandbox while it ran something. @throws InfrastructureError, or the reason of an aborted signal */
export function sandboxFailed(ran: string, signal: AbortSignal): (error: unknown) => never {
  return (error) => {
    signal.throwIfAborted();
    throw new InfrastructureError(`The sandbox could not run ${ran}.`, { cause: error });
  };
}
