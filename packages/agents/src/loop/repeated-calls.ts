import { type AgentRole, AppError } from '@sluice/core';
import type { ToolCallPart, ToolResultPart } from 'ai';
import { shortenEnd } from '../tools/shorten.ts';
import { callsWithResults, type TranscriptMessage, transcriptMessage } from './transcript.ts';

const NOTICE_AT = 3; // the same call twice is normal, e.g. to check whether something has settled
const STUCK_AT = 5; // after two notices
const RECENT_TURNS = 2 * STUCK_AT + 2; // two alternating calls, and the turns before them
const MAX_ALTERNATING = 2;

const SAME_AGAIN =
  '(The service: you have made this very call several times now, always with this same result. It will not change by itself. Do something else, or end and say what stands in the way.)';

/**
 * Adds a notice to the result when the same call had the same result for the third time with no new input in between.
 * The calls are counted in the journal, so a restart does not reset the count.
 *
 * @param transcript up to and including the answer that made the call
 */
export function withRepeatNotice(transcript: readonly TranscriptMessage[], result: ToolResultPart): ToolResultPart {
  const { output } = result;
  if (output.type !== 'text' && output.type !== 'error-text') return result;
  const calls = recentCalls([...transcript, transcriptMessage('result', { role: 'tool', content: [result] })]);
  if (timesOf(calls, calls.at(-1)?.name) < NOTICE_AT) return result;
  return { ...result, output: { ...output, value: `${output.value}\n\n${SAME_AGAIN}` } };
}

/** @throws AppError `agent_stuck` when the same call had the same result five times, also when it alternates with another */
export function requireProgress(role: AgentRole, transcript: readonly TranscriptMessage[]): void {
  const calls = recentCalls(transcript);
  const stuck = calls.find(({ name }) => timesOf(calls, name) >= STUCK_AT);
  if (stuck === undefined) return;
  const shown = shortenEnd(`${stuck.call.toolName} ${JSON.stringify(stuck.call.input)}`, 300);
  throw new AppError('agent_stuck', {
    detail: `The ${role} made the same call ${STUCK_AT} times with the same result: ${shown}. Make the issue or the plan more precise, or use another model.`,
  });
}

interface NamedCall {
  readonly name: string;
  readonly call: ToolCallPart;
}

/** The latest calls, up to the third different one. The same call twice in one answer counts once. */
function recentCalls(transcript: readonly TranscriptMessage[]): NamedCall[] {
  const seen = new Set<string>();
  const different = new Set<string>();
  const recent: NamedCall[] = [];
  for (const { call, result, turn } of callsWithResults(sinceNewInput(transcript)).toReversed()) {
    const name = nameOf(call, result);
    different.add(name);
    if (different.size > MAX_ALTERNATING) break;
    if (seen.has(`${turn} ${name}`)) continue;
    seen.add(`${turn} ${name}`);
    recent.unshift({ name, call });
  }
  return recent;
}

/** The last turns since the agent's last note or correction, or the start of the round. */
function sinceNewInput(transcript: readonly TranscriptMessage[]): readonly TranscriptMessage[] {
  let turns = 0;
  const start = transcript.findLastIndex(({ kind }) => {
    if (kind === 'answer') turns += 1;
    return (
      turns === RECENT_TURNS || kind === 'note' || kind === 'correction' || kind === 'opening' || kind === 'request'
    );
  });
  return transcript.slice(Math.max(0, start));
}

function timesOf(calls: readonly NamedCall[], name: string | undefined): number {
  return calls.filter((one) => one.name === name).length;
}

const durations = /\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds?|min|minutes?)\b/g;

/** Equal for the same call with the same result. Durations in the result do not count. */
function nameOf({ toolName, input }: ToolCallPart, { output }: ToolResultPart): string {
  const text = 'value' in output && typeof output.value === 'string' ? output.value : JSON.stringify(output);
  const content = text.replace(SAME_AGAIN, '').trimEnd().replaceAll(durations, '');
  const members = typeof input === 'object' && input !== null ? Object.entries(input).sort() : input;
  return JSON.stringify([toolName, members, output.type, content]);
}
