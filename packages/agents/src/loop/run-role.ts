import type { AgentContext, AgentResult, AgentRole } from '@sluice/core/agent';
import { storableJson } from '@sluice/core/text';
import { readAdvice } from '../roles/advice.ts';
import { fence } from '../roles/fence.ts';
import { readPlannedFiles } from '../roles/planned-files.ts';
import { answerCalls, checkpointEntry, saveDueCheckpoint } from './answer-calls.ts';
import { roomInCharacters } from './context-window.ts';
import { continueConversation, lastAttemptSections } from './continue-conversation.ts';
import { openRecord, withEntry } from './conversation.ts';
import { keepOutOfLoops } from './keep-out-of-loops.ts';
import { keepWithinLimits } from './keep-within-limits.ts';
import { nextTurn } from './next-turn.ts';
import { isRetry, type RoleExecution, type RoleSetup } from './role-execution.ts';
import { settleAnswer } from './settle-answer.ts';
import { settleCall } from './settle-call.ts';

const CONTEXT_HITS = 6; // more are seldom useful, and are sent again with every turn

/**
 * The durable loop. It never repeats what the journal holds: the model's message is written before any of its tools
 * runs, `begin` before an effect, the result after it, each with its events in one write. So a process that resumes from
 * a journal makes exactly the calls that are missing, and sends the model exactly what the first process would have sent.
 *
 * @throws AppError `agent_turns_exceeded`, `agent_output_invalid`, `agent_stuck`, `model_answer_withheld`,
 * `model_context_full`, `budget_exhausted`; the signal's reason when cancelled; errors of the provider, the journal or a
 * broken tool
 */
export async function runRole<Role extends AgentRole>(
  setup: RoleSetup<Role>,
  context: AgentContext,
): Promise<AgentResult<Role>> {
  const { answer } = setup.definition;
  const record = openRecord(context.journal);
  const execution: RoleExecution<Role> = { setup, context, record };
  const { done, transcript, awaitsOpening } = record.now();
  if (done === null && transcript.length === 0) await openConversation(execution);
  else if (done === null && awaitsOpening) await continueConversation(execution);
  for (;;) {
    const { done, finalText, openCalls, isCheckpointDue, usage, models, retrieved } = record.now();
    if (done !== null)
      return {
        output: answer.schema.parse(done.output),
        usage,
        madeBy: models.map((name) => labelOf(setup.choices, name)),
        retrieved,
      };
    context.signal.throwIfAborted();
    const end = openCalls.findIndex(({ call }) => call.toolName === answer.tool?.name);
    if (openCalls[0] !== undefined) {
      if (end === 0) await settleCall(execution, openCalls[0]);
      else await answerCalls(execution, end < 0 ? openCalls : openCalls.slice(0, end));
    } else if (isCheckpointDue) await saveDueCheckpoint(execution);
    else if (finalText !== null) await settleAnswer(execution, { text: finalText, turn: ALREADY_RECORDED });
    else {
      await keepWithinLimits(execution);
      await keepOutOfLoops(execution);
      await takeNextTurn(execution);
    }
  }
}

/** A model that answered before a restart may no longer be configured. */
function labelOf(choices: RoleSetup<AgentRole>['choices'], name: string): string {
  return choices.find((choice) => choice.name === name)?.label ?? name;
}

/** An answer that an earlier process recorded. An answer that was cut short is always recorded with its correction. */
const ALREADY_RECORDED = { entries: [], serviceEvents: [], events: [], cutShort: null };

/**
 * Records the start of the conversation: instructions, request and the places shown to the model. A resumed execution
 * continues with the same words, whatever has changed since.
 */
async function openConversation<Role extends AgentRole>(execution: RoleExecution<Role>): Promise<void> {
  const { setup, context, record } = execution;
  const { definition, instructions, input } = setup;
  const query = definition.query(input);
  const hits = query === null ? [] : await context.search(query, CONTEXT_HITS);
  const room = roomInCharacters(setup.choices);
  const about = definition.adviceAbout?.(input, hits) ?? null;
  const advice = about === null ? [] : await readAdvice(context.workspace.files, { about, room });
  const paths = [...new Set(hits.map(({ path }) => path))];
  const plannedFiles = await readPlannedFiles(context.workspace.files, {
    paths: definition.scope?.(input) ?? [],
    room,
  });
  const opening = definition.request(input, { hits, advice, plannedFiles, room });
  const request = [opening, ...(await saidSections(execution)), ...lastAttemptSections(execution)].join('\n\n');
  // The work of a failed round, whose journal no longer counts.
  const kept = isRetry(context) ? await context.checkpoint() : null;
  await record.write({
    entries: [
      ...(kept === null ? [] : [checkpointEntry(kept)]),
      ...(query === null ? [] : [{ kind: 'retrieved', paths } as const]),
      { kind: 'message', message: storableJson({ role: 'system', content: instructions }) },
      { kind: 'message', message: storableJson({ role: 'user', content: request }) },
    ],
    events: [],
    ...(kept !== null && { checkpoint: kept }),
  });
}

async function takeNextTurn<Role extends AgentRole>(execution: RoleExecution<Role>): Promise<void> {
  const { record } = execution;
  const turn = await nextTurn(execution);
  const { finalText } = turn.entries.reduce(withEntry, record.now());
  if (turn.withheld === null && finalText !== null) return await settleAnswer(execution, { text: finalText, turn });
  await record.write({ entries: turn.entries, events: [...turn.serviceEvents, ...turn.events] });
  if (turn.withheld !== null) throw turn.withheld;
}

/**
 * The messages of people to earlier agents. The coder got the guidance at the publish gate as its feedback, and a plan
 * follows the guidance that it was given.
 */
async function saidSections<Role extends AgentRole>({ setup, context }: RoleExecution<Role>): Promise<string[]> {
  const isReviewer = setup.definition.role === 'reviewer';
  const notes = (await context.said()).filter(({ kind }) => kind === 'note' || isReviewer);
  return notes.map(({ text }) => fence('note', text));
}
