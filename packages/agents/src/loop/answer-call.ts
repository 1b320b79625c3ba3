import type { AgentRole, Checkpoint, JournalEntry } from '@sluice/core';
import { toolResultEvent } from './agent-events.ts';
import { closeCall } from './close-call.ts';
import type { OpenCall } from './conversation.ts';
import { withRepeatNotice } from './repeated-calls.ts';
import type { RoleWork } from './role-run.ts';

/**
 * Carries out an open call and writes down its result; with the last one of an answer that changed something, in the
 * same write, the tree as it stands then.
 */
export async function answerCall<Role extends AgentRole>(work: RoleWork<Role>, open: OpenCall): Promise<void> {
  const { run, context, record } = work;
  const callId = open.call.toolCallId;
  const tools = {
    tools: run.definition.tools,
    context: { ...context, plannedFiles: run.definition.scope?.(run.input) ?? null },
    begin: () => record.write({ entries: [{ kind: 'begin', callId }], events: [] }),
  };
  const raw = await closeCall(tools, open);
  const { said, openCalls, isCheckpointDue } = record.now();
  const result = withRepeatNotice(said, raw);
  const entry: JournalEntry = { kind: 'result', callId, message: { role: 'tool', content: [result] } };
  const events = [toolResultEvent(run.definition.role, result)];
  const isLast = openCalls.length === 1;
  if (!isLast || !isCheckpointDue) return await record.write({ entries: [entry], events });
  let kept: Checkpoint | null;
  try {
    kept = await context.checkpoint();
  } catch (error) {
    // What was done is written down whatever becomes of the checkpoint, which the next process makes up for.
    await record.write({ entries: [entry], events });
    context.signal.throwIfAborted();
    throw error;
  }
  await record.write({ entries: [entry, checkpointEntry(kept)], events, checkpoint: kept ?? undefined });
}

/** Makes up for a checkpoint that an earlier process did not get to. */
export async function keepTree<Role extends AgentRole>({ context, record }: RoleWork<Role>): Promise<void> {
  const kept = await context.checkpoint();
  await record.write({ entries: [checkpointEntry(kept)], events: [], checkpoint: kept ?? undefined });
}

function checkpointEntry(kept: Checkpoint | null): JournalEntry {
  return { kind: 'checkpoint', commit: kept?.commit ?? null };
}
