import { type AgentContext, type AgentResult, type AgentRole, AppError } from '@sluice/core';
import { answerCall, keepTree } from './answer-call.ts';
import { countOf, withEntry } from './conversation.ts';
import { openRecord } from './conversation-record.ts';
import { nextTurn } from './next-turn.ts';
import { openConversation } from './open-conversation.ts';
import { requireProgress } from './repeated-calls.ts';
import type { RoleRun, RoleWork } from './role-run.ts';
import { settleAnswer } from './settle-answer.ts';

/**
 * The durable loop. What the journal holds is never done again: the model's message is written before any of its tools
 * runs, `begin` before an effect, the result after it; each with its events in one write. So a process that goes on from
 * a journal makes exactly the calls that are missing, and sends the model exactly what the first one would have sent.
 *
 * @throws AppError `agent_turns_exceeded`, `agent_output_invalid`, `agent_stuck`, `model_answer_withheld`,
 * `model_context_full`, `budget_exhausted`; the signal's reason when cancelled; what the provider, the journal or a
 * broken tool throws
 */
export async function runRole<Role extends AgentRole>(
  run: RoleRun<Role>,
  context: AgentContext,
): Promise<AgentResult<Role>> {
  const { role, answer } = run.definition;
  const record = openRecord(context.journal);
  const work: RoleWork<Role> = { run, context, record };
  if (record.now().done === null && record.now().said.length === 0) await openConversation(work);
  for (;;) {
    const { done, lastWords, openCalls, isCheckpointDue, said, usage, models, retrieved } = record.now();
    if (done !== null)
      return {
        output: answer.schema.parse(done.output),
        usage,
        madeBy: models.map((name) => shownAs(run.choices, name)),
        retrieved,
      };
    context.signal.throwIfAborted();
    if (openCalls[0] !== undefined) await answerCall(work, openCalls[0]);
    else if (isCheckpointDue) await keepTree(work);
    else if (lastWords !== null) await settleAnswer(work, { words: lastWords, turn: NOTHING_NEW });
    else {
      requireProgress(role, said);
      requireTurns(work);
      await ask(work);
    }
  }
}

/** One that answered before a restart may not be configured any more. */
function shownAs(choices: RoleRun<AgentRole>['choices'], name: string): string {
  return choices.find((choice) => choice.name === name)?.label ?? name;
}

/** An answer that an earlier process wrote down. One that was cut short never stands there without its request to mend. */
const NOTHING_NEW = { entries: [], told: [], events: [], cutShort: null };

async function ask<Role extends AgentRole>(work: RoleWork<Role>): Promise<void> {
  const { record } = work;
  const turn = await nextTurn(work);
  const { lastWords } = turn.entries.reduce(withEntry, record.now());
  if (turn.withheld === null && lastWords !== null) return await settleAnswer(work, { words: lastWords, turn });
  await record.write({ entries: turn.entries, events: [...turn.told, ...turn.events] });
  if (turn.withheld !== null) throw turn.withheld;
}

function requireTurns<Role extends AgentRole>({ run, record }: RoleWork<Role>): void {
  const { role, maxTurns } = run.definition;
  const limit = run.choices[0]?.maxTurns ?? maxTurns;
  const conversation = record.now();
  // A note must not cost the agent the turn in which it heeds it.
  if (conversation.turns < limit + countOf(conversation, 'note')) return;
  throw new AppError('agent_turns_exceeded', {
    detail: `The ${role} had not ended after ${conversation.turns} turns. Make the issue smaller or more exact, and try again.`,
  });
}
