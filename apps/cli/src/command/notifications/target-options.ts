import type { SluiceClient } from '@sluice/client';
import { CommandError, exitCode } from '../../terminal/exit-code.ts';

type Changes = Parameters<SluiceClient['notifications']['update']['mutate']>[0];

export const TARGET_ARGUMENT = [
  '<target>',
  'id of a notification target or a unique ending of it, its description, or email',
] as const;
export const EVENTS_OPTION = ['--events <kind...>', 'the events to be notified of'] as const;
/** The events, for help texts. Not read from core, which takes longer to load than help may take. */
export const EVENTS_NOTE = `Events:
  gate.opened, question.asked, publish_gate.opened, issue.failed    ask you for something
  issue.completed, change_request.opened, change_request.merged, change_request.closed, budget.warning,
  monthly_budget.warning`;
export const FORMAT_OPTION = [
  '--format <format>',
  'what the receiver expects: standard, slack, mattermost, matrix, discord or ntfy',
] as const;
export const DESCRIPTION_OPTION = ['--description <text>', 'a name for it, by which commands find it too'] as const;

/** The kinds and the format that a user gave. @throws CommandError for words that are none */
export async function eventsAndFormat(given: {
  readonly events?: readonly string[];
  readonly format?: string;
}): Promise<Pick<Changes, 'events' | 'format'>> {
  const { notificationFormats, notificationKinds } = await import('@sluice/core/notification');
  const { events, format } = given;
  return {
    ...(events === undefined
      ? {}
      : { events: [...new Set(events.map((one) => known(one, 'event', notificationKinds)))] }),
    ...(format === undefined ? {} : { format: known(format, 'format', notificationFormats) }),
  };
}

function known<T extends string>(word: string, what: string, words: readonly T[]): T {
  const found = words.find((one) => one === word);
  if (found !== undefined) return found;
  throw new CommandError(exitCode.usage, `Unknown ${what} ${word}. The ${what}s are ${words.join(', ')}.`);
}
