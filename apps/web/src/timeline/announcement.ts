import type { IssueEvent } from '@sluice/client';
import { stageLabel } from '../format/issue-words.ts';

const MAX_CHARACTERS = 300; // what one listens to; the rest stands in the timeline

/**
 * The text that a screen reader speaks when an event arrives; null for a mere step. Text that is still written is not
 * read.
 */
export function announcement(event: IssueEvent): string | null {
  switch (event.type) {
    case 'agent.message':
      return `${event.data.agent}: ${event.data.text.slice(0, MAX_CHARACTERS).toWellFormed()}`;
    case 'command.finished': {
      const { command, exit_code } = event.data;
      return `${command} ${exit_code === null ? 'was stopped' : `ended with exit code ${exit_code}`}`;
    }
    case 'stage.started':
      return `${stageLabel(event.data.stage)} started`;
    case 'stage.failed':
      return `${stageLabel(event.data.stage)} failed: ${event.data.detail}`;
    case 'review.requested':
      return 'A decision is wanted';
    case 'result.published':
      return 'The result is published';
    default:
      return null;
  }
}
