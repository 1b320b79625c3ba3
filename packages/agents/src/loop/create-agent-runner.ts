import { readFileSync } from 'node:fs';
import type { AgentRole, AgentRunner, Clock } from '@sluice/core';
import { roles } from '../roles/roles.ts';
import { createAwayModels } from './away-models.ts';
import type { ModelChoice } from './model-choice.ts';
import { runRole } from './run-role.ts';
import { TURN_TIMEOUTS, type TurnTimeouts } from './turn-patience.ts';

const MAX_RETRIES = 2; // by the provider's own headers; the stage itself is tried again later

export interface AgentRunnerOptions {
  /** The first works; the others stand in for it, in order, when it is away. At least one. */
  models(role: AgentRole): readonly ModelChoice[];
  readonly clock: Clock;
  /** How long one answer of a model may take; 10 minutes by default. */
  readonly timeouts?: TurnTimeouts;
  /** How often a model that fails is asked again before another one stands in; 2 by default. */
  readonly maxRetries?: number;
}

/** Makes the runner of all roles. Reads their instructions once, here. */
export function createAgentRunner({
  models,
  clock,
  timeouts = TURN_TIMEOUTS,
  maxRetries = MAX_RETRIES,
}: AgentRunnerOptions): AgentRunner {
  // The SDK prints its warnings on stderr, and this global is the only switch that it has.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const instructions = Object.fromEntries(
    Object.values(roles).map(({ role, promptFile }) => [role, readFileSync(promptFile, 'utf8').trim()]),
  ) as Record<AgentRole, string>;
  const away = createAwayModels(clock);
  return {
    run: (role, input, context) =>
      runRole(
        {
          definition: roles[role],
          instructions: instructions[role],
          choices: models(role),
          away,
          timeouts,
          maxRetries,
          input,
        },
        context,
      ),
  };
}
