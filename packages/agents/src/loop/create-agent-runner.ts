import { readFileSync } from 'node:fs';
import type { AgentRole, AgentRunner } from '@sluice/core';
import { roles } from '../role/roles.ts';
import type { ModelChoice } from './model-choice.ts';
import { runRole } from './run-role.ts';

const TURN_TIMEOUT_MS = 600_000; // a long answer of a slow model on one's own machine takes minutes

export interface AgentRunnerOptions {
  models(role: AgentRole): ModelChoice;
  /** How long one answer of the model may take, in milliseconds; 10 minutes by default. */
  readonly turnTimeoutMs?: number;
}

/** Makes the runner of all roles. Reads their instructions once, here. */
export function createAgentRunner({ models, turnTimeoutMs = TURN_TIMEOUT_MS }: AgentRunnerOptions): AgentRunner {
  // The SDK prints its warnings on stderr, and this global is the only switch that it has.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const instructions = Object.fromEntries(
    Object.values(roles).map(({ role, promptFile }) => [role, readFileSync(promptFile, 'utf8').trim()]),
  ) as Record<AgentRole, string>;
  return {
    label: (role) => models(role).label,
    run: (role, input, context) =>
      runRole(
        { definition: roles[role], instructions: instructions[role], choice: models(role), turnTimeoutMs, input },
        context,
      ),
  };
}
