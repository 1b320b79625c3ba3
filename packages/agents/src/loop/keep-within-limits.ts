import type { AgentRole } from '@sluice/core/agent';
import { AppError } from '@sluice/core/error';
import { BUDGET_WARNING_SHARE, type BudgetUse } from '@sluice/core/pipeline';
import { storableJson } from '@sluice/core/text';
import { messageEvent } from './agent-events.ts';
import { countOf } from './conversation.ts';
import type { RoleExecution } from './role-execution.ts';

/**
 * Stops an agent that has used up its turns. From 80 % of its turns, the budget or the stage's time on, tells it
 * once a round to come to an end, in a message that is recorded.
 *
 * @throws AppError `agent_turns_exceeded`
 */
export async function keepWithinLimits<Role extends AgentRole>(execution: RoleExecution<Role>): Promise<void> {
  const { setup, context, record } = execution;
  const { role, tools } = setup.definition;
  const turns = turnsUsed(execution);
  if (turns.share >= 1)
    throw new AppError('agent_turns_exceeded', {
      detail: `The ${role} had not finished after ${record.now().turns} turns. Make the issue smaller or more precise, and try again.`,
    });
  const uses = [turns, ...context.limitUse()];
  const most = uses.reduce((one, other) => (other.share > one.share ? other : one));
  const isTold = countOf(record.now(), ({ about }) => about === 'budget') > 0;
  // Without tools there is nothing to come to an end with.
  if (most.share < BUDGET_WARNING_SHARE || isTold || tools.length === 0) return;
  const message = storableJson({ role: 'user', content: `${most.detail} are used. ${advice[role]}` });
  await record.write({
    entries: [{ kind: 'told', about: 'budget', message }],
    events: [messageEvent('service', `The ${role} was told to come to an end: ${most.detail} are used.`)],
  });
}

const ANSWER_NOW = 'Read only what you cannot do without, and answer with what you know.';

const advice: Record<AgentRole, string> = {
  triager: ANSWER_NOW,
  planner: ANSWER_NOW,
  coder:
    'Come to an end now: finish the edit that you have begun so that the files work as they are, run the test next to it, and call finish with what is left in not_done.',
  reviewer: ANSWER_NOW,
};

function turnsUsed<Role extends AgentRole>({ setup, record }: RoleExecution<Role>): BudgetUse {
  const { turns } = record.now();
  // Each note adds a turn, so that the agent has a turn to act on it.
  const notes = countOf(record.now(), ({ kind }) => kind === 'note');
  const limit = (setup.choices[0]?.maxTurns ?? setup.definition.maxTurns) + notes;
  return { share: turns / limit, detail: `${turns} of ${limit} turns` };
}
