import type { IssueEvent, LiveEvent } from '@sluice/core/issue';
import type { Output } from '../terminal/output.ts';
import { followActivity, type IssueActivity, noActivity } from './issue-activity.ts';
import { describeActivity, renderActivity } from './render-activity.ts';

/** Shows that an issue is alive while nothing else is printed. */
export interface LiveStatus {
  /** Takes an event into account. It is shown at the next tick. */
  follow(event: IssueEvent | LiveEvent): void;
  /** Prints a line of progress. */
  print(line: string): void;
  /** Shows the present state. Call it a few times a second. */
  tick(): void;
  /** Removes what is shown until the next tick. */
  clear(): void;
}

const MINUTE = 60_000;
/** The silence before each line where nothing can be redrawn. Many CI services end a job that is silent for 10 minutes. */
const SILENCE_MS = [MINUTE, 2 * MINUTE, 4 * MINUTE, 5 * MINUTE];

/** At a terminal a status line that is redrawn; elsewhere a plain line after a minute of silence, then less often. */
export function createLiveStatus(
  output: Pick<Output, 'live' | 'message' | 'messageStyle'>,
  now: () => number = Date.now,
): LiveStatus {
  const { live } = output;
  let activity: IssueActivity = noActivity;
  let lastLineAt = now();
  let silences = 0;
  const noteLine = () => {
    lastLineAt = now();
  };
  function tellStillRunning(): void {
    const phrase = describeActivity(activity, now());
    const silence = SILENCE_MS[Math.min(silences, SILENCE_MS.length - 1)] ?? MINUTE;
    if (phrase === null || now() - lastLineAt < silence) return;
    silences += 1;
    noteLine();
    const running = activity.doing.kind === 'stage' ? 'still running: ' : '';
    output.message(output.messageStyle('dim', `… ${running}${phrase}`));
  }
  return {
    follow(event) {
      activity = followActivity(activity, event);
    },
    print(line) {
      silences = 0;
      noteLine();
      output.message(line);
    },
    tick() {
      if (live === null) return tellStillRunning();
      live.show((columns) => renderActivity(activity, output.messageStyle, { now: now(), columns }));
    },
    clear: () => live?.clear(),
  };
}
