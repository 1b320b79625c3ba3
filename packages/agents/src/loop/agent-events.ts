import type { AgentRole } from '@sluice/core/agent';
import type { NewEvent } from '@sluice/core/issue';
import { storableJson, storableText } from '@sluice/core/text';
import type { ToolCallPart, ToolResultPart } from 'ai';
import { shortenEnd, shortenMiddle } from '../tools/shorten.ts';

const MESSAGE_CHARACTERS = 20_000;
const INPUT_CHARACTERS = 2_000; // of each string; the journal has the whole call
const SUMMARY_CHARACTERS = 1_000;
const INPUT_DEPTH = 4;
const WHOLE_INPUT_CHARACTERS = 20_000; // a call of many strings may be as long as a message

export function messageEvent(agent: AgentRole | 'service', text: string): NewEvent {
  return { type: 'agent.message', data: { agent, text: storableText(shortenMiddle(text, MESSAGE_CHARACTERS)) } };
}

export function toolCallEvent(
  agent: AgentRole,
  call: Pick<ToolCallPart, 'toolCallId' | 'toolName' | 'input'>,
): NewEvent {
  const input = shortened(storableJson(call.input ?? null), INPUT_DEPTH);
  const data = { agent, call_id: storableText(call.toolCallId), tool: storableText(call.toolName) };
  const text = JSON.stringify(input);
  const shown = text.length > WHOLE_INPUT_CHARACTERS ? shortenMiddle(text, WHOLE_INPUT_CHARACTERS) : input;
  return { type: 'agent.tool_call', data: { ...data, input: isRecord(shown) ? shown : { input: shown } } };
}

export function toolResultEvent(agent: AgentRole, { toolCallId, toolName, output }: ToolResultPart): NewEvent {
  const ok = output.type === 'text' || output.type === 'json' || output.type === 'content';
  const text =
    'value' in output ? (typeof output.value === 'string' ? output.value : JSON.stringify(output.value)) : 'refused';
  const data = { agent, call_id: storableText(toolCallId), tool: storableText(toolName), ok };
  return {
    type: 'agent.tool_result',
    data: { ...data, summary: storableText(shortenMiddle(text, SUMMARY_CHARACTERS)) },
  };
}

function shortened(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return shortenEnd(value, INPUT_CHARACTERS);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => shortened(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shortened(member, depth - 1)]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
