import type { AgentRole, JournalEntry, JournalWrite, Note } from '@sluice/core/agent';
import { AppError } from '@sluice/core/error';
import type { NewEvent } from '@sluice/core/issue';
import { storableJson } from '@sluice/core/text';
import type { ModelChoice } from '../models/model-choice.ts';
import { fence } from '../tools/fence.ts';
import { messageEvent } from './agent-events.ts';
import { type AgentTurn, takeTurn } from './agent-turn.ts';
import { attachedSections } from './attached-sections.ts';
import { hardestTrim, planTrim, requestTokens, roomFor, type Trim } from './context-window.ts';
import { withEntry } from './conversation.ts';
import type { RoleExecution } from './role-execution.ts';
import { cutAt } from './silent-cut.ts';

/**
 * Lets the model answer once, with the new notes and within its context window. When the provider reports that the
 * context is full anyway, it asks once more with everything shortened that can be; when the answer takes too long, once more.
 *
 * @throws AppError `budget_exhausted`, `model_context_full`, and the provider's failure
 */
export async function nextTurn<Role extends AgentRole>(execution: RoleExecution<Role>): Promise<AgentTurn> {
  await readNotes(execution);
  await stayWithinWindow(execution);
  try {
    return withCutNotice(execution, await takeTurn(execution));
  } catch (error) {
    const trim = isContextFull(error) ? hardestTrim(execution.record.now()) : null;
    if (trim !== null) await writeTrim(execution, trim);
    else if (!(error instanceof AppError) || error.code !== 'model_timeout') throw error;
    return await takeTurn(execution);
  }
}

/**
 * Records the notes that people wrote since the last call.
 *
 * @param before recorded before the notes, if there are any notes
 * @returns whether there were any
 * @throws AppError `budget_exhausted`
 */
export async function readNotes<Role extends AgentRole>(
  execution: RoleExecution<Role>,
  before: JournalWrite = { entries: [], events: [] },
): Promise<boolean> {
  const { setup, context, record } = execution;
  const notes = await context.checkIn();
  const { role: agent } = setup.definition;
  const read = notes.map(({ seq }): NewEvent => ({ type: 'note.read', data: { agent, seq } }));
  const attached = notes.length === 0 ? [] : await attachedSections(execution);
  const last = notes.at(-1);
  if (notes.length > 0)
    await record.write({
      entries: [...before.entries, ...notes.map((note) => noteEntry(note, note === last ? attached : []))],
      events: [...before.events, ...read],
    });
  return notes.length > 0;
}

function noteEntry({ seq, text }: Note, attached: readonly string[]): JournalEntry {
  const content = [fence('note', text), ...attached].join('\n\n');
  return { kind: 'note', seq, message: storableJson({ role: 'user', content }) };
}

async function stayWithinWindow<Role extends AgentRole>(execution: RoleExecution<Role>): Promise<void> {
  const { choices, cooldown } = execution.setup;
  const [first] = choices;
  const [next] = cooldown.order(choices);
  if (first === undefined || next === undefined) return;
  let trim: Trim | null;
  try {
    trim = trimFor(execution, next);
  } catch (error) {
    // A fallback was not chosen for its size: where it is too small, the first choice is asked despite its cooldown.
    if (next === first || !isContextFull(error)) throw error;
    trim = trimFor(execution, first);
  }
  if (trim !== null) await writeTrim(execution, trim);
}

/** A server that cuts has a smaller window than it was taken to have. */
function trimFor<Role extends AgentRole>({ setup, record }: RoleExecution<Role>, choice: ModelChoice): Trim | null {
  const conversation = record.now();
  const cut = cutAt(conversation.cut);
  const window = Math.min(choice.contextTokens ?? Number.POSITIVE_INFINITY, cut ?? Number.POSITIVE_INFINITY);
  const room = Number.isFinite(window) ? roomFor({ ...choice, contextTokens: window }) : null;
  if (room === null) return null;
  const tokens = requestTokens(conversation, setup.definition.tools.length);
  const isEstimate = conversation.measured === null;
  return planTrim(conversation, {
    tokens,
    room,
    window,
    isEstimate,
    ...(cut !== null && { advice: ` ${cutNotice(cut)}` }),
  });
}

/** The turn, with a message to people when its count shows that the server cuts what it is sent. */
function withCutNotice<Role extends AgentRole>({ record }: RoleExecution<Role>, turn: AgentTurn): AgentTurn {
  const before = record.now();
  const cut = cutAt(turn.entries.reduce(withEntry, before).cut);
  if (cut === null || cutAt(before.cut) !== null) return turn;
  return { ...turn, serviceEvents: [...turn.serviceEvents, messageEvent('service', cutNotice(cut))] };
}

function cutNotice(tokens: number): string {
  return `The model's server seems to cut requests at about ${tokens} tokens without saying so: start it with a larger window (num_ctx, --ctx-size, --max-model-len), or set context_tokens in MODEL_SETTINGS to what it has.`;
}

async function writeTrim<Role extends AgentRole>(
  { setup, record }: RoleExecution<Role>,
  { saved, ...shortening }: Trim,
): Promise<void> {
  const { results, kept } = shortening;
  const what =
    results === 0 ? 'what it no longer needs is' : `what it no longer needs and the first ${results} tool results are`;
  const text = `The conversation of the ${setup.definition.role} nearly fills its model's context window. From now on ${what} ${kept === 0 ? 'left out' : 'sent shortened'}, which saves about ${saved} tokens. The plan and notes stay complete.`;
  await record.write({ entries: [{ kind: 'trim', ...shortening }], events: [messageEvent('service', text)] });
}

function isContextFull(error: unknown): boolean {
  return error instanceof AppError && error.code === 'model_context_full';
}
