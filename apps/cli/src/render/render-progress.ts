import { type EventData, type IssueEvent, isPending, type LiveEvent } from '@sluice/core/issue';
import { plainLine, plainText } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';
import { hangText } from './hang-text.ts';
import { renderDuration, renderElapsed, renderInstant } from './render-time.ts';
import { wrapText } from './wrap-text.ts';

const MAX_LINES = 12; // enough for a failing assertion; the issue's log has the whole output
// The start of a failure in TAP, node:test, vitest, jest, pytest, go, cargo and compilers.
const FIRST_FAILURE = /^\s*(not ok\b|[✖✗×●]|FAIL|--- FAIL|E {3}|error\b|thread '.*' panicked)/i;

export interface ProgressView {
  readonly style: Style;
  /** Lines are wrapped to this many columns. */
  readonly width: number;
  /** How much of a command's output is shown at its end: where a failure begins, nothing, or all that the event has. */
  readonly excerpt: 'failure' | 'none' | 'all';
}

/** Renders an event of a running issue as lines of progress, or null for an event that is not shown. */
export function renderProgress(event: IssueEvent | LiveEvent, view: ProgressView): string | null {
  const { style } = view;
  switch (event.type) {
    case 'stage.started':
      return `${style('cyan', '▸')} ${style('bold', event.data.stage)}${event.data.attempt > 1 ? ` (attempt ${event.data.attempt})` : ''}`;
    case 'stage.completed': {
      const detail = event.data.detail === null ? '' : `  ${plainLine(event.data.detail)}`;
      const took = style('dim', renderDuration(event.data.duration_ms));
      return hang(`${style('green', '✓')} ${event.data.stage}${detail}  ${took}`, view);
    }
    case 'stage.failed':
      return renderFailure(event.data, Date.parse(event.at), view);
    case 'command.started':
      return indent(hang(`${style('dim', '$')} ${plainLine(event.data.command)}`, view), view);
    case 'command.finished':
      return renderCommandEnd(event.data, view);
    case 'agent.message':
      return event.data.text.trim() === ''
        ? null
        : indent(`${plainLine(event.data.agent)}: ${plainText(event.data.text.trim())}`, view, 'dim');
    case 'agent.tool_call':
      return indent(plainLine(`${event.data.agent}: ${event.data.tool} ${subject(event.data.input)}`), view, 'dim');
    case 'agent.tool_result':
      return event.data.ok
        ? null
        : indent(`${style('yellow', plainLine(event.data.tool))}: ${plainText(event.data.summary)}`, view);
    case 'user.message':
      return indent(`${style('cyan', 'note:')} ${plainText(event.data.text.trim())}`, view);
    case 'note.read':
      return indent(`the ${plainLine(event.data.agent)} has read your note`, view, 'dim');
    case 'gate.reminder':
      return hang(
        `${style('yellow', '!')} waiting for a decision since ${renderInstant(event.data.requested_at)}, and holding a slot`,
        view,
      );
    case 'issue.status':
      return renderStatus(event.data, view);
    default:
      return null;
  }
}

function renderFailure(failure: EventData<'stage.failed'>, failedAt: number, view: ProgressView): string {
  const { style } = view;
  const [first = '', ...rest] = plainText(failure.detail).trim().split('\n');
  const again = failure.will_retry ? ` ${style('dim', `(${renderRetry(failure, failedAt)})`)}` : '';
  return [
    hang(`${style('red', '✗')} ${failure.stage}: ${first}${again}`, view),
    ...rest.map((line) => indent(line, view)),
  ].join('\n');
}

/** Which attempt failed and when the next one starts. Older servers do not tell either. */
function renderRetry({ retry }: EventData<'stage.failed'>, failedAt: number): string {
  if (retry === undefined) return 'will be retried';
  const wait = Date.parse(retry.at) - failedAt;
  const soon = wait < 1_000;
  return `attempt ${retry.failures} of ${retry.max_failures}; next ${soon ? 'at once' : `in ${renderElapsed(wait + 500)}`}`; // the event is written a moment later
}

/** A change of status is shown only where it adds to the stages: with a reason, or while the issue is queued. */
function renderStatus({ to, queue_position, detail }: EventData<'issue.status'>, view: ProgressView): string | null {
  const { style } = view;
  if (detail !== undefined) return hang(`${style('yellow', '!')} ${plainText(detail)}`, view);
  if (!isPending(to)) return null;
  return `${style('cyan', '▸')} waiting for a free slot${queue_position === null ? '' : ` (position ${queue_position})`}`;
}

function renderCommandEnd(end: EventData<'command.finished'>, view: ProgressView): string {
  const { style, excerpt } = view;
  const after = `after ${renderDuration(end.duration_ms)}`;
  const text = plainText(end.text);
  const all = () => (text.trim() === '' ? [] : text.trimEnd().split('\n'));
  const shown = excerpt === 'all' ? all() : excerpt === 'none' || end.exit_code === 0 ? [] : failureExcerpt(text);
  const output = shown.map((line) => indent(line, view, 'dim'));
  if (end.exit_code === 0) return [...output, `  ${style('dim', `exit 0 ${after}`)}`].join('\n');
  const ending = end.exit_code === null ? 'stopped' : `exit ${end.exit_code}`;
  return [`  ${style('yellow', ending)} ${style('dim', after)}`, ...output].join('\n');
}

/** The lines from the first failure on, else the last ones. Runners end with counts, which do not say why. */
function failureExcerpt(output: string): string[] {
  const lines = output.trimEnd().split('\n');
  if (lines.length <= MAX_LINES) return output.trim() === '' ? [] : lines;
  const first = lines.findIndex((line) => FIRST_FAILURE.test(line));
  return first === -1 ? lines.slice(-MAX_LINES) : lines.slice(first, first + MAX_LINES);
}

/** The inputs that tell what a tool call is about, the most telling ones first. */
const SUBJECTS = ['pattern', 'query', 'path', 'command', 'folder', 'old_name', 'old_text', 'outcome'];

/** What a tool call is about: a path, a pattern, a command. */
function subject(input: Record<string, unknown>): string {
  const patched = typeof input.patch === 'string' ? /^\*\*\* \w+ File: (.+)$/m.exec(input.patch)?.[1] : undefined;
  const value = patched ?? SUBJECTS.map((name) => input[name]).find((one) => one !== undefined);
  return typeof value === 'string' ? (value.split('\n')[0] ?? '').slice(0, 100) : '';
}

/** Wraps a line that starts with a mark, and aligns the rest with the text behind the mark. */
function hang(text: string, { width }: ProgressView): string {
  return hangText(text, 2, width);
}

function indent(text: string, { style, width }: ProgressView, format?: 'dim'): string {
  return wrapText(text, width - 2)
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${format === undefined ? line : style(format, line)}`))
    .join('\n');
}
