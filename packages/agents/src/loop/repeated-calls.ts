import { type AgentRole, AppError } from '@sluice/core';
import type { ToolCallPart, ToolResultPart } from 'ai';
import { shortenEnd } from '../tools/shorten.ts';
import { callsWithResults } from './answered-calls.ts';
import { type Said, said } from './said.ts';

const TOLD_AT = 3; // twice happens to the best: to see whether something has settled
const STUCK_AT = 5; // it has been told twice by then
const LOOKED_AT_TURNS = 2 * STUCK_AT + 2; // two calls in turn, and what came before them
const MAX_ALTERNATING = 2;

const SAME_AGAIN =
  '(The service: you have made this very call several times now, always with this same result. It will not change by itself. Do something else, or end and say what stands in the way.)';

/**
 * The result, with a plain word to the model when the same call has now come to the same result for the third time with
 * nothing new in between. Read from the journal, so that a restart does not begin to count anew.
 *
 * @param all up to and with the answer that the call stands in
 */
export function withRepeatNotice(all: readonly Said[], result: ToolResultPart): ToolResultPart {
  const { output } = result;
  if (output.type !== 'text' && output.type !== 'error-text') return result;
  const calls = recentCalls([...all, said('result', { role: 'tool', content: [result] })]);
  if (timesOf(calls, calls.at(-1)?.name) < TOLD_AT) return result;
  return { ...result, output: { ...output, value: `${output.value}\n\n${SAME_AGAIN}` } };
}

/** @throws AppError `agent_stuck` when the same call has come to the same result five times, also by turns with another */
export function requireProgress(role: AgentRole, all: readonly Said[]): void {
  const calls = recentCalls(all);
  const stuck = calls.find(({ name }) => timesOf(calls, name) >= STUCK_AT);
  if (stuck === undefined) return;
  const shown = shortenEnd(`${stuck.call.toolName} ${JSON.stringify(stuck.call.input)}`, 300);
  throw new AppError('agent_stuck', {
    detail: `The ${role} made the same call ${STUCK_AT} times with the same result: ${shown}. Make the issue or the plan more exact, or use another model.`,
  });
}

interface NamedCall {
  readonly name: string;
  readonly call: ToolCallPart;
}

/** The latest calls of which there are only two, with their results; the same call twice in one answer counts once. */
function recentCalls(all: readonly Said[]): NamedCall[] {
  const seen = new Set<string>();
  const different = new Set<string>();
  const recent: NamedCall[] = [];
  for (const { call, result, turn } of callsWithResults(sinceSomethingNew(all)).toReversed()) {
    const name = nameOf(call, result);
    different.add(name);
    if (different.size > MAX_ALTERNATING) break;
    if (seen.has(`${turn} ${name}`)) continue;
    seen.add(`${turn} ${name}`);
    recent.unshift({ name, call });
  }
  return recent;
}

/** The last turns, as far as nobody has said anything to the agent in them. */
function sinceSomethingNew(all: readonly Said[]): readonly Said[] {
  let turns = 0;
  const start = all.findLastIndex(({ kind }) => {
    if (kind === 'answer') turns += 1;
    return turns === LOOKED_AT_TURNS || kind === 'note' || kind === 'mend' || kind === 'request';
  });
  return all.slice(Math.max(0, start));
}

function timesOf(calls: readonly NamedCall[], name: string | undefined): number {
  return calls.filter((one) => one.name === name).length;
}

const durations = /\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds?|min|minutes?)\b/g;

/** The same for the same call with the same result. How long it took does not count. */
function nameOf({ toolName, input }: ToolCallPart, { output }: ToolResultPart): string {
  const text = 'value' in output && typeof output.value === 'string' ? output.value : JSON.stringify(output);
  const said = text.replace(SAME_AGAIN, '').trimEnd().replaceAll(durations, '');
  const members = typeof input === 'object' && input !== null ? Object.entries(input).sort() : input;
  return JSON.stringify([toolName, members, output.type, said]);
}
