import type { AgentRole } from '@sluice/core/agent';
import { AppError } from '@sluice/core/error';
import { storableJson } from '@sluice/core/text';
import { messageEvent } from './agent-events.ts';
import { loopPattern } from './loop-pattern.ts';
import type { RoleExecution } from './role-execution.ts';

// Without the pattern: an error in it may be text of the repository, which must not stand outside a tool's result.
const GOING_ROUND =
  'You are going round in circles: your latest calls repeat what you have already done, or change nothing. It will not change by itself. Do something else, or end and say what stands in the way.';

/**
 * Tells an agent once that it goes round in circles, in a message that is recorded, and stops it when it goes on.
 *
 * @throws AppError `agent_stuck` with the pattern in words
 */
export async function keepOutOfLoops<Role extends AgentRole>({ setup, record }: RoleExecution<Role>): Promise<void> {
  const pattern = loopPattern(record.now().transcript);
  if (pattern === null) return;
  const { role } = setup.definition;
  if (pattern.isStuck)
    throw new AppError('agent_stuck', {
      detail: `The ${role} was told that it goes round in circles, and went on: ${pattern.words}. Make the issue or the plan more precise, or use another model.`,
    });
  const message = storableJson({ role: 'user', content: GOING_ROUND });
  await record.write({
    entries: [{ kind: 'told', about: 'loop', message }],
    events: [messageEvent('service', `The ${role} was told that it goes round in circles: ${pattern.words}.`)],
  });
}
