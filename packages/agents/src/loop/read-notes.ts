import type { AgentRole, JournalEntry, NewEvent, Note } from '@sluice/core';
import { fence } from '../roles/fence.ts';
import { plainJson } from './plain-json.ts';
import type { RoleWork } from './role-run.ts';

/**
 * Takes in what people wrote since.
 *
 * @param events what is told first, if there is anything
 * @returns whether there was anything
 * @throws AppError `budget_exhausted`
 */
export async function readNotes<Role extends AgentRole>(
  { context, record }: RoleWork<Role>,
  events: readonly NewEvent[] = [],
): Promise<boolean> {
  const notes = await context.checkIn();
  if (notes.length > 0) await record.write({ entries: notes.map(noteEntry), events });
  return notes.length > 0;
}

function noteEntry({ seq, text }: Note): JournalEntry {
  return { kind: 'note', seq, message: plainJson({ role: 'user', content: fence('note', text) }) };
}
