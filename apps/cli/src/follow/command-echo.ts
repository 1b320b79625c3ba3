import type { IssueEvent, LiveEvent } from '@sluice/core/issue';
import { plainOutputLine } from '../terminal/plain-text.ts';

/** Turns the pieces of a command's live output into whole lines, safe to print. */
export interface CommandEcho {
  /** @returns the lines that are complete after `event`; none for other events than those of commands */
  take(event: IssueEvent | LiveEvent): string[];
  /** Whether output of the present command was taken. Live output is not replayed, so that of a past one was not. */
  readonly hasOutput: boolean;
}

export function createCommandEcho(): CommandEcho {
  let rest = '';
  let hasOutput = false;
  return {
    get hasOutput() {
      return hasOutput;
    },
    take(event) {
      if (event.type === 'command.started') {
        rest = '';
        hasOutput = false;
      }
      if (event.type === 'command.output') {
        hasOutput = true;
        const lines = `${rest}${event.data.text}`.split('\n');
        rest = lines.pop() ?? '';
        return lines.map(plainOutputLine);
      }
      if (event.type === 'command.finished' && rest !== '') {
        const last = plainOutputLine(rest);
        rest = '';
        return [last];
      }
      return [];
    },
  };
}
