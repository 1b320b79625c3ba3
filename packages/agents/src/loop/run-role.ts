import type { AgentContext, AgentResult, AgentRole, JournalEntry } from '@sluice/core/agent';
import { AppError } from '@sluice/core/error';
import { BUDGET_WARNING_SHARE, type BudgetUse } from '@sluice/core/pipeline';
import { storableJson } from '@sluice/core/text';
import type { ToolResultPart } from 'ai';
import { openAdvice } from '../advice/open-advice.ts';
import { readPlannedFiles } from '../roles/planned-files.ts';
import { PERHAPS_DONE } from '../tools/agent-tool.ts';
import { fence } from '../tools/fence.ts';
import { messageEvent } from './agent-events.ts';
import { answerCalls, checkpointEntry, saveDueCheckpoint } from './answer-calls.ts';
import { attachedSections } from './attached-sections.ts';
import { roomInCharacters } from './context-window.ts';
import { countOf, type OpenCall, openRecord, withEntry } from './conversation.ts';
import { adviceAtOpening, joinAdvice } from './join-advice.ts';
import { keepOutOfLoops } from './loop-pattern.ts';
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
  const advice = openAdvice(context.workspace.baseFiles, context.signal);
  const execution: RoleExecution<Role> = { setup, context, record, advice };
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
      await joinAdvice(execution);
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
  const advice = await adviceAtOpening(execution, hits);
  const paths = [...new Set(hits.map(({ path }) => path))];
  const plannedFiles = await readPlannedFiles(context.workspace.files, {
    paths: definition.scope?.(input) ?? [],
    room,
  });
  const opening = definition.request(input, { hits, advice, plannedFiles, room });
  const attached = await attachedSections(execution);
  const request = [opening, ...attached, ...(await saidSections(execution)), ...lastAttemptSections(execution)].join(
    '\n\n',
  );
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
 * The notes of people to earlier agents. The coder got the guidance at the publish gate as its feedback, and a plan
 * follows the guidance that it was given.
 */
async function saidSections<Role extends AgentRole>({ setup, context }: RoleExecution<Role>): Promise<string[]> {
  const isReviewer = setup.definition.role === 'reviewer';
  const notes = (await context.said()).filter(({ kind }) => kind === 'note' || isReviewer);
  return notes.map(({ text }) => fence('note', text));
}

const NOT_DONE = 'The attempt ended before this call was carried out. Nothing was done.';

/**
 * Goes on with the conversation of the earlier rounds: answers the calls that they left open, saves what they left in the
 * tree, and adds one message with what is new. Everything before stays as it was sent, so the provider's cache holds.
 */
async function continueConversation<Role extends AgentRole>(execution: RoleExecution<Role>): Promise<void> {
  const { setup, context, record } = execution;
  const { transcript, openCalls, isCheckpointDue } = record.now();
  const isAgain = isRetry(context);
  // A round that ended without a result may have saved nothing that counts: the retry begins with all that it left.
  const kept = isCheckpointDue || isAgain ? await context.checkpoint() : null;
  // Only a retry may have read it: a new round is given its feedback even where an earlier one had the same words.
  const isKnown = (part: string) =>
    isAgain && transcript.some(({ message }) => typeof message.content === 'string' && message.content.includes(part));
  const news = (setup.definition.followUp?.(setup.input) ?? []).filter((part) => !isKnown(part));
  const parts = [...news, ...(await attachedSections(execution)), ...lastAttemptSections(execution)];
  const content = parts.length === 0 ? 'Go on.' : parts.join('\n\n');
  await record.write({
    entries: [
      ...openCalls.map(unansweredEntry),
      ...(isCheckpointDue || kept !== null ? [checkpointEntry(kept)] : []),
      { kind: 'message', message: storableJson({ role: 'user', content }) },
    ],
    events: [],
    ...(kept !== null && { checkpoint: kept }),
  });
}

/** Why the last attempt ended, for its retry; empty when this is none. */
function lastAttemptSections<Role extends AgentRole>({ setup, context }: RoleExecution<Role>): string[] {
  const reason = context.journal.lastAttempt ?? null;
  if (reason === null) return [];
  const tree = setup.definition.role === 'coder' ? ' Its changes are still in the working tree.' : '';
  return [fence('last_attempt', reason), `The last attempt ended for the reason above.${tree} Go on from there.`];
}

function unansweredEntry({ call, begun }: OpenCall): JournalEntry {
  const { toolCallId, toolName } = call;
  const output = { type: 'error-text', value: begun ? PERHAPS_DONE : NOT_DONE } as const;
  const result: ToolResultPart = { type: 'tool-result', toolCallId, toolName, output };
  return { kind: 'result', callId: toolCallId, message: { role: 'tool', content: [result] } };
}

/**
 * Stops an agent that has used up its turns. From 80 % of its turns, the budget or the stage's time on, tells it
 * once a round to come to an end, in a message that is recorded.
 *
 * @throws AppError `agent_turns_exceeded`
 */
async function keepWithinLimits<Role extends AgentRole>(execution: RoleExecution<Role>): Promise<void> {
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
