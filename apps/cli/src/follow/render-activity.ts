import { renderElapsed } from '../render/render-time.ts';
import { wrapText } from '../render/wrap-text.ts';
import { truncateText } from '../terminal/display-width.ts';
import { plainLine, plainOutputLine } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';
import type { IssueActivity } from './issue-activity.ts';

const TAIL_LINES = 4;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 250;

/** What the issue is doing, in a phrase without colours: `test, 2 min 5 s`. Null when there is nothing to tell. */
export function describeActivity({ doing, workedMs }: IssueActivity, now: number): string | null {
  if (doing.kind === 'nothing') return null;
  const elapsed = now - doing.since;
  switch (doing.kind) {
    case 'queued':
      if (doing.forRepo) return `waiting for another issue on the repository, ${renderElapsed(elapsed)}`;
      return `waiting for a free slot${doing.position === null ? '' : `, position ${doing.position}`}, ${renderElapsed(elapsed)}`;
    case 'gate':
      return `waiting for a decision, ${renderElapsed(elapsed)}`;
    case 'stage': {
      const attempt = doing.attempt > 1 ? ` (attempt ${doing.attempt})` : '';
      const total = workedMs < 1_000 ? '' : `, ${renderElapsed(workedMs + elapsed)} in all`;
      return `${doing.stage}${attempt}, ${renderElapsed(elapsed)}${total}`;
    }
    case 'retry': {
      if (doing.next === null) return `${doing.stage} will be retried`;
      const { at, failures, max } = doing.next;
      const left = at - now;
      const when = left > 0 ? `next in ${renderElapsed(left + 999)}` : 'next one now'; // rounded up: 0 s would be over
      return `${doing.stage}: attempt ${failures} of ${max} failed, ${when}`;
    }
  }
}

/** Renders the activity for a terminal: a line that moves, and below it the end of what is being written. */
export function renderActivity(
  activity: IssueActivity,
  style: Style,
  view: { now: number; columns: number },
): string[] {
  const phrase = describeActivity(activity, view.now);
  if (phrase === null) return [];
  const { columns, now } = view;
  const frame = FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? '';
  const running = activity.command === null ? '' : ` · $ ${plainLine(activity.command.text)}`;
  const line = truncateText(`${plainLine(phrase)}${running}`, columns - 2);
  const tail = lastLines(activity.tail, columns - 4).map((text) => style('dim', `  │ ${text}`));
  return [`${style('cyan', frame)} ${line}`, ...tail];
}

/** The last lines of live text. A carriage return starts the line over, as progress bars do. */
function lastLines(text: string, width: number): string[] {
  const lines = text
    .split('\n')
    .map(plainOutputLine)
    .filter((line) => line !== '');
  return lines
    .slice(-TAIL_LINES)
    .flatMap((line) => wrapText(line, width).split('\n'))
    .slice(-TAIL_LINES)
    .map((line) => truncateText(line, width));
}
