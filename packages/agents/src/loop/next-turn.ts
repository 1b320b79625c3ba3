import { type AgentRole, AppError } from '@sluice/core';
import { messageEvent } from './agent-events.ts';
import { type AgentTurn, takeTurn } from './agent-turn.ts';
import { hardestTrim, planTrim, requestTokens, roomFor, type Trim } from './context-window.ts';
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
    const isFull = error instanceof AppError && error.code === 'model_context_full';
    const trim = isFull ? hardestTrim(work.record.now()) : null;
    if (trim === null) throw error;
    await writeTrim(work, trim);
    return await takeTurn(work);
  }
}

async function stayWithinWindow<Role extends AgentRole>(work: RoleWork<Role>): Promise<void> {
  const { definition, choices } = work.run;
  const room = choices[0] === undefined ? null : roomFor(choices[0]);
  if (room === null) return;
  const conversation = work.record.now();
  const tokens = requestTokens(conversation, definition.tools.length);
  const trim = planTrim(conversation, { tokens, room });
  if (trim !== null) await writeTrim(work, trim);
}

async function writeTrim<Role extends AgentRole>(
  { run, record }: RoleWork<Role>,
  { results, saved }: Trim,
): Promise<void> {
  const text = `The work of the ${run.definition.role} comes near what its model can hold. From now on it is sent the first ${results} results of its tools in short: about ${saved} tokens less. The plan, notes and the newest failure stay whole.`;
  await record.write({ entries: [{ kind: 'trim', results }], events: [messageEvent('service', text)] });
}
