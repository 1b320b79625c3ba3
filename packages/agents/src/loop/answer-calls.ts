import type { AgentRole, JournalEntry } from '@sluice/core/agent';
import { createSemaphore } from '@sluice/core/async';
import { AppError, type ErrorCode } from '@sluice/core/error';
import { storableText } from '@sluice/core/text';
import type { Checkpoint } from '@sluice/core/workspace';
import type { ToolResultPart } from 'ai';
import { type AgentTool, RESTARTED, type ToolContext } from '../tools/agent-tool.ts';
import { brokenFileOf } from '../tools/require-syntax.ts';
import { toolResultEvent } from './agent-events.ts';
import { roomInCharacters } from './context-window.ts';
import type { OpenCall } from './conversation.ts';
import type { RoleExecution } from './role-execution.ts';
import { answeredCalls } from './transcript.ts';

const READS_AT_ONCE = 8; // a search takes a process, and other issues work beside this one

/** The errors of a tool that go to the model as a result. Any other error ends the stage. */
const resultErrors: ReadonlySet<ErrorCode> = new Set(['tool_refused', 'sandbox_unavailable']);

/**
 * Carries out the next open calls of an answer and records their results: calls that only read, together and in one
 * write, up to the first that changes something; that one alone. The last call of an answer that changed something also
 * records a checkpoint, in the same write.
 */
export async function answerCalls<Role extends AgentRole>(
  execution: RoleExecution<Role>,
  open: readonly OpenCall[],
): Promise<void> {
  const { setup, context, record } = execution;
  const { tools } = setup.definition;
  const firstEffect = open.findIndex(({ call }) => !isRead(tools, call.toolName));
  const batch = firstEffect < 0 ? open : open.slice(0, Math.max(1, firstEffect));
  const atOnce = createSemaphore(READS_AT_ONCE);
  const runs = batch.map((one) => atOnce.run(() => runCall(boundsOf(execution, one), one), context.signal));
  // All of them end before the first failure is thrown: nothing may read on in a tree that is given back.
  await Promise.allSettled(runs);
  const results = await Promise.all(runs);
  const entries = results.map(
    (result): JournalEntry => ({
      kind: 'result',
      callId: result.toolCallId,
      message: { role: 'tool', content: [result] },
    }),
  );
  const events = results.map((result) => toolResultEvent(setup.definition.role, result));
  const { openCalls, isCheckpointDue } = record.now();
  const isLast = openCalls.length === results.length;
  if (!isLast || !isCheckpointDue) return await record.write({ entries, events });
  let checkpoint: Checkpoint | null;
  try {
    checkpoint = await context.checkpoint();
  } catch (error) {
    // The results are recorded even when the checkpoint fails; the next process makes up for the checkpoint.
    await record.write({ entries, events });
    context.signal.throwIfAborted();
    throw error;
  }
  const written = [...entries, checkpointEntry(checkpoint)];
  await record.write({ entries: written, events, checkpoint: checkpoint ?? undefined });
}

/** A call of a tool that there is not changes nothing either. */
function isRead(tools: readonly AgentTool[], name: string): boolean {
  return (tools.find((tool) => tool.name === name)?.effect ?? 'read') === 'read';
}

function boundsOf<Role extends AgentRole>(
  { setup, context, record }: RoleExecution<Role>,
  { call }: OpenCall,
): CallBounds {
  return {
    tools: setup.definition.tools,
    context: {
      ...context,
      plannedFiles: setup.definition.scope?.(setup.input) ?? null,
      brokenFiles: new Set(answeredCalls(record.now().transcript).flatMap(({ text }) => brokenFileOf(text) ?? [])),
      room: roomInCharacters(setup.choices),
    },
    begin: () => record.write({ entries: [{ kind: 'begin', callId: call.toolCallId }], events: [] }),
  };
}

/** Saves the checkpoint that an earlier process did not get to. */
export async function saveDueCheckpoint<Role extends AgentRole>({
  context,
  record,
}: RoleExecution<Role>): Promise<void> {
  const checkpoint = await context.checkpoint();
  await record.write({ entries: [checkpointEntry(checkpoint)], events: [], checkpoint: checkpoint ?? undefined });
}

/** The journal's word for a checkpoint; null when the tree was too large to keep. */
export function checkpointEntry(checkpoint: Checkpoint | null): JournalEntry {
  return { kind: 'checkpoint', commit: checkpoint?.commit ?? null };
}

interface CallBounds {
  readonly tools: readonly AgentTool[];
  readonly context: ToolContext;
  /** Records that the effect may happen from now on. */
  begin(): Promise<void>;
}

/** Runs the call's tool or, when an earlier process had begun it, follows the tool's replay rule. Records nothing. */
async function runCall({ tools, context, begin }: CallBounds, { call, begun }: OpenCall): Promise<ToolResultPart> {
  const result = (type: 'text' | 'error-text', value: string): ToolResultPart => ({
    type: 'tool-result',
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    output: { type, value: storableText(value) },
  });
  const tool = tools.find(({ name }) => name === call.toolName);
  if (tool === undefined) {
    const names = tools.map(({ name }) => name).join(', ');
    return result('error-text', `There is no tool "${call.toolName}". The tools are: ${names}.`);
  }
  if (begun && tool.onReplay === 'report') return result('error-text', RESTARTED);
  try {
    const run = tool.accept(call.input);
    if (!begun && tool.effect !== 'read') await begin();
    // The result counts even when the work was cancelled meanwhile, because another process continues from the journal.
    return result('text', await run(context));
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof AppError && resultErrors.has(error.code)) return result('error-text', error.message);
    throw error;
  }
}
