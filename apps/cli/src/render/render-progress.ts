import { type EventData, type IssueEvent, isPending, type LiveEvent } from '@sluice/core';
import { plainLine, plainText } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';

const MAX_LINES = 12; // enough for a failing assertion; the issue's log has the whole output
// The start of a failure in TAP, node:test, vitest, jest, pytest, go, cargo and compilers.
const FIRST_FAILURE = /^\s*(not ok\b|[✖✗×●]|FAIL|--- FAIL|E {3}|error\b|thread '.*' panicked)/i;

/** Renders an event of a running issue as lines of progress, or null for an event that is not shown. */
export function renderProgress(event: IssueEvent | LiveEvent, style: Style): string | null {
  switch (event.type) {
    case 'stage.started':
      return `${style('cyan', '▸')} ${style('bold', event.data.stage)}${event.data.attempt > 1 ? ` (attempt ${event.data.attempt})` : ''}`;
    case 'stage.completed': {
      const detail = event.data.detail === null ? '' : `  ${plainLine(event.data.detail)}`;
      return `${style('green', '✓')} ${event.data.stage}${detail}  ${style('dim', seconds(event.data.duration_ms))}`;
    }
    case 'stage.failed':
      return renderFailure(event.data, style);
    case 'command.started':
      return `  ${style('dim', '$')} ${plainLine(event.data.command)}`;
    case 'command.finished':
      return renderCommandEnd(event.data, style);
    case 'agent.message':
      return event.data.text.trim() === ''
        ? null
        : indent(
            eachLine(`${plainLine(event.data.agent)}: ${plainText(event.data.text.trim())}`, (line) =>
              style('dim', line),
            ),
          );
    case 'agent.tool_call':
      return `  ${style('dim', plainLine(`${event.data.agent}: ${event.data.tool} ${subject(event.data.input)}`))}`;
    case 'agent.tool_result':
      return event.data.ok
        ? null
        : indent(`${style('yellow', plainLine(event.data.tool))}: ${plainText(event.data.summary)}`);
    case 'user.message':
      return indent(`${style('cyan', 'note:')} ${plainText(event.data.text.trim())}`);
    case 'gate.reminder':
      return `${style('yellow', '!')} waiting for a decision since ${event.data.requested_at}, and holding a slot`;
    case 'issue.status':
      return renderStatus(event.data, style);
    default:
      return null;
  }
}

function renderFailure(failure: EventData<'stage.failed'>, style: Style): string {
  const [first = '', ...rest] = plainText(failure.detail).trim().split('\n');
  const again = failure.will_retry ? style('dim', ' (will be retried)') : '';
  return [`${style('red', '✗')} ${failure.stage}: ${first}${again}`, ...rest.map(indent)].join('\n');
}

/** A change of status is shown only where it adds to the stages: with a reason, or while the issue is queued. */
function renderStatus({ to, queue_position, detail }: EventData<'issue.status'>, style: Style): string | null {
  if (detail !== undefined) return `${style('yellow', '!')} ${plainText(detail)}`;
  if (!isPending(to)) return null;
  return `${style('cyan', '▸')} waiting for a free slot${queue_position === null ? '' : ` (position ${queue_position})`}`;
}

function renderCommandEnd(end: EventData<'command.finished'>, style: Style): string {
  const after = `after ${seconds(end.duration_ms)}`;
  if (end.exit_code === 0) return `  ${style('dim', `exit 0 ${after}`)}`;
  const ending = end.exit_code === null ? 'stopped by a limit' : `exit ${end.exit_code}`;
  const output = failureExcerpt(plainText(end.text)).map((line) => indent(style('dim', line)));
  return [`  ${style('yellow', ending)} ${style('dim', after)}`, ...output].join('\n');
}

/** The lines from the first failure on, else the last ones. Runners end with counts, which do not say why. */
function failureExcerpt(output: string): string[] {
  const lines = output.trimEnd().split('\n');
  if (lines.length <= MAX_LINES) return output.trim() === '' ? [] : lines;
  const first = lines.findIndex((line) => FIRST_FAILURE.test(line));
  return first === -1 ? lines.slice(-MAX_LINES) : lines.slice(first, first + MAX_LINES);
}

/** The path, query or command of a tool call. */
function subject(input: Record<string, unknown>): string {
  const value = input.path ?? input.query ?? input.command ?? '';
  return typeof value === 'string' ? (value.split('\n')[0] ?? '').slice(0, 100) : '';
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function eachLine(text: string, render: (line: string) => string): string {
  return text.split('\n').map(render).join('\n');
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
