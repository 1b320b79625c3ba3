import type { IssueEvent, LiveEvent } from '@sluice/core';
import { plainText, type Style } from './style.ts';

const TAIL_LINES = 12; // enough for a failing assertion; the whole output is in the issue's log

/** One event of a running issue as lines for a person, or null for what he need not see. */
export function renderProgress(event: IssueEvent | LiveEvent, style: Style): string | null {
  switch (event.type) {
    case 'stage.started':
      return `${style('cyan', '▸')} ${style('bold', event.data.stage)}${event.data.attempt > 1 ? ` (attempt ${event.data.attempt})` : ''}`;
    case 'stage.completed': {
      const detail = event.data.detail === null ? '' : `  ${plainText(event.data.detail)}`;
      return `${style('green', '✓')} ${event.data.stage}${detail}  ${style('dim', seconds(event.data.duration_ms))}`;
    }
    case 'stage.failed':
      return `${style('red', '✗')} ${event.data.stage}: ${plainText(event.data.detail)}${event.data.will_retry ? style('dim', ' (will be tried again)') : ''}`;
    case 'command.started':
      return `  ${style('dim', '$')} ${plainText(event.data.command)}`;
    case 'command.finished':
      return renderCommandEnd(event.data, style);
    case 'agent.message':
      return event.data.text.trim() === ''
        ? null
        : indent(style('dim', `${event.data.agent}: ${plainText(event.data.text.trim())}`));
    case 'agent.tool_call':
      return `  ${style('dim', `${event.data.agent}: ${event.data.tool} ${plainText(subject(event.data.input))}`)}`;
    case 'agent.tool_result':
      return event.data.ok ? null : indent(`${style('yellow', event.data.tool)}: ${plainText(event.data.summary)}`);
    case 'issue.status':
      return event.data.to === 'pending'
        ? `${style('cyan', '▸')} waits for a free slot (position ${event.data.queue_position ?? '?'})`
        : null;
    default:
      return null;
  }
}

function renderCommandEnd(end: { exit_code: number | null; duration_ms: number; text: string }, style: Style): string {
  if (end.exit_code === 0) return `  ${style('dim', `exit 0 after ${seconds(end.duration_ms)}`)}`;
  const ending = end.exit_code === null ? 'ended by a limit' : `exit ${end.exit_code}`;
  const lines = plainText(end.text).trimEnd().split('\n');
  const tail = lines.slice(-TAIL_LINES).map((line) => style('dim', line));
  return [
    `  ${style('yellow', ending)} ${style('dim', `after ${seconds(end.duration_ms)}`)}`,
    ...tail.map(indent),
  ].join('\n');
}

/** What a tool call is about, in a word: its path, query or command. */
function subject(input: Record<string, unknown>): string {
  const value = input['path'] ?? input['query'] ?? input['command'] ?? '';
  return typeof value === 'string' ? (value.split('\n')[0] ?? '').slice(0, 100) : '';
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
