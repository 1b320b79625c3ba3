import { readFileSync } from 'node:fs';
import type { AgentRole, AgentRunner } from '@sluice/core/agent';
import type { Clock } from '@sluice/core/async';
import { ANSWER_TIMEOUTS, type AnswerTimeouts } from '../models/answer-timeouts.ts';
import type { ModelChoice } from '../models/model-choice.ts';
import { createModelCooldown } from '../models/model-fallback.ts';
import { coder } from '../roles/coder.ts';
import { planner } from '../roles/planner.ts';
import { promptRevision } from '../roles/prompt-revision.ts';
import { reviewer } from '../roles/reviewer.ts';
import type { RoleDefinition } from '../roles/role-definition.ts';
import { triager } from '../roles/triager.ts';
import { withRemarks } from '../roles/with-remarks.ts';
import { applyPatch } from '../tools/apply-patch.ts';
import { editFile } from '../tools/edit-file.ts';
import { toolsFor } from '../tools/writing-tools.ts';
import { runRole } from './run-role.ts';

const MAX_RETRIES = 2; // following the provider's headers; the stage itself is retried later

export interface AgentRunnerOptions {
  /** The first one works; the others are its fallback, in order. At least one. */
  models(role: AgentRole): readonly ModelChoice[];
  readonly clock: Clock;
  /** Whether the planner also triages, so that no triager is asked; by default it does not. */
  readonly plannerTriages?: boolean;
  /** How long one answer of a model may take; 10 minutes by default. */
  readonly timeouts?: AnswerTimeouts;
  /** How often a failing model is retried before its fallback is asked; 2 by default. */
  readonly maxRetries?: number;
}

/** Creates the runner of all roles. Reads their instructions once, here. */
export function createAgentRunner({
  models,
  clock,
  plannerTriages = false,
  timeouts = ANSWER_TIMEOUTS,
  maxRetries = MAX_RETRIES,
}: AgentRunnerOptions): AgentRunner {
  // The SDK prints its warnings on stderr, and this global is its only switch.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const instructions = Object.fromEntries(
    Object.values(roles).map(({ role, promptFile }) => [role, readFileSync(promptFile, 'utf8').trim()]),
  ) as Record<AgentRole, string>;
  const cooldown = createModelCooldown(clock);
  const revision = promptRevision(
    Object.values(roles).map((role) => ({ ...role, instructions: instructions[role.role] })),
  );
  return {
    async run(role, input, context) {
      const choices = await Promise.all(models(role).map(withAskedWindow));
      // One format for the whole round, whichever model stands in: the tools stand at the start of every request.
      const editFormat = choices[0]?.editFormat ?? 'replace';
      const definition = withRemarks(roles[role], input);
      return await runRole(
        {
          definition: { ...definition, tools: toolsFor(definition.tools, editFormat) },
          instructions: inFormat(instructions[role], editFormat),
          choices,
          cooldown,
          timeouts,
          maxRetries,
          input,
        },
        context,
      );
    },
    plannerTriages: () => plannerTriages,
    promptRevision: () => revision,
    async planBlocker(plan, { files }) {
      const [coding] = models('coder');
      return (await coding?.planBlocker?.(plan, files)) ?? null;
    },
  };
}

/** The choice with the window that its server tells, where nobody has set one. */
async function withAskedWindow(choice: ModelChoice): Promise<ModelChoice> {
  const window = (await choice.askWindow?.()) ?? null;
  return window === null ? choice : { ...choice, contextTokens: window };
}

/** The instructions with the name of the tool that edits. */
function inFormat(instructions: string, editFormat: 'replace' | 'patch'): string {
  return editFormat === 'replace' ? instructions : instructions.replaceAll(editFile.name, applyPatch.name);
}

/** The roles of the pipeline. */
const roles: { readonly [Role in AgentRole]: RoleDefinition<Role> } = { triager, planner, coder, reviewer };
