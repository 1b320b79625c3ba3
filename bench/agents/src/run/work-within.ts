import { type AgentOutcome, type BenchAgent, InfrastructureError, type Trial } from '../agent/bench-agent.ts';

/** How an agent's work ended. What was stopped, or broke off with an error, leaves no patch. */
export interface WorkEnd extends Omit<AgentOutcome, 'ended'> {
  readonly ended: AgentOutcome['ended'] | 'timeout' | 'error';
}

/**
 * Lets an agent work for a limited time. An exception of its own is how its work ended, and no failure of the surroundings:
 * those would be tried again until the agent is lucky.
 *
 * @throws InfrastructureError when the surroundings failed; the reason of `trial.signal` when the run is cancelled
 */
export async function workWithin(limitMs: number, agent: BenchAgent, trial: Trial): Promise<WorkEnd> {
  const timeout = AbortSignal.timeout(limitMs);
  try {
    return await agent.work({ ...trial, signal: AbortSignal.any([trial.signal, timeout]) });
  } catch (error) {
    trial.signal.throwIfAborted();
    if (error instanceof InfrastructureError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    return {
      ...(timeout.aborted
        ? { ended: 'timeout', detail: `It was stopped after ${limitMs / 1_000} s.` }
        : { ended: 'error', detail: message }),
      patch: '',
      costUsd: null,
    };
  }
}
