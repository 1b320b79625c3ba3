import { type AgentRole, AppError } from '@sluice/core';
import { messageEvent } from './agent-events.ts';
import { type AgentTurn, takeTurn } from './agent-turn.ts';
import { hardestTrim, planTrim, requestTokens, roomFor, type Trim } from './context-window.ts';
import type { ModelChoice } from './model-choice.ts';
import { readNotes } from './read-notes.ts';
import type { RoleWork } from './role-run.ts';

/**
 * Lets the model answer once, with what people wrote since, and with no more than its window holds. When the provider
 * says that it was too much all the same, it is asked once more with all that can be shortened.
 *
 * @throws AppError `budget_exhausted`, `model_context_full`, and what the model's provider failed with
 */
export async function nextTurn<Role extends AgentRole>(work: RoleWork<Role>): Promise<AgentTurn> {
  await readNotes(work);
  await stayWithinWindow(work);
  try {
    return await takeTurn(work);
  } catch (error) {
    const trim = isFull(error) ? hardestTrim(work.record.now()) : null;
    if (trim === null) throw error;
    await writeTrim(work, trim);
    return await takeTurn(work);
  }
}

async function stayWithinWindow<Role extends AgentRole>(work: RoleWork<Role>): Promise<void> {
  const { choices, away } = work.run;
  const [first] = choices;
  const [next] = away.inTurn(choices);
  if (first === undefined || next === undefined) return;
  let trim: Trim | null;
  try {
    trim = trimFor(work, next);
  } catch (error) {
    // A stand-in was not chosen for its size: where it is too small, the first choice is asked, away or not.
    if (next === first || !isFull(error)) throw error;
    trim = trimFor(work, first);
  }
  if (trim !== null) await writeTrim(work, trim);
}

function trimFor<Role extends AgentRole>({ run, record }: RoleWork<Role>, choice: ModelChoice): Trim | null {
  const room = roomFor(choice);
  if (room === null) return null;
  const conversation = record.now();
  return planTrim(conversation, { tokens: requestTokens(conversation, run.definition.tools.length), room });
}

async function writeTrim<Role extends AgentRole>(
  { run, record }: RoleWork<Role>,
  { results, saved }: Trim,
): Promise<void> {
  const text = `The work of the ${run.definition.role} comes near what its model can hold. From now on it is sent the first ${results} results of its tools in short: about ${saved} tokens less. The plan, notes and the newest failure stay whole.`;
  await record.write({ entries: [{ kind: 'trim', results }], events: [messageEvent('service', text)] });
}

function isFull(error: unknown): boolean {
  return error instanceof AppError && error.code === 'model_context_full';
}
