import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { ownCommand } from '../../terminal/environment.ts';
import { CommandError, exitCode, type Finish } from '../../terminal/exit-code.ts';
import { remoteCommand, withRemote } from '../remote-command.ts';
import {
  DESCRIPTION_OPTION,
  EVENTS_NOTE,
  EVENTS_OPTION,
  eventsAndFormat,
  FORMAT_OPTION,
  TARGET_ARGUMENT,
} from './target-options.ts';

interface EditOptions extends RemoteOptions {
  readonly to?: string;
  readonly format?: string;
  readonly events?: string[];
  readonly repo?: string;
  readonly allRepos?: true;
  readonly description?: string;
  readonly enable?: true;
  readonly disable?: true;
}

export function addNotificationsEditCommand(notifications: Command, finish: Finish): void {
  remoteCommand(notifications, 'edit', {
    description: 'change, disable or enable a notification target',
    examples: [
      'sluice notifications edit 9e4d21aa --events gate.opened issue.failed',
      'sluice notifications edit 9e4d21aa --to https://example.com/new-hook',
      'sluice notifications edit 9e4d21aa --disable',
      'sluice notifications edit 9e4d21aa --enable      after it was disabled',
    ],
    notes: EVENTS_NOTE,
  })
    .argument(...TARGET_ARGUMENT)
    .option('--to <address>', 'the URL of the webhook')
    .option(...FORMAT_OPTION)
    .option(...EVENTS_OPTION)
    .option('-R, --repo <repository>', 'only of this repository')
    .option('--all-repos', 'of all repositories')
    .option(...DESCRIPTION_OPTION)
    .option('--enable', 'send again, and forget earlier failures')
    .option('--disable', 'send nothing, and give up what is pending')
    .action(async (given: string, options: EditOptions) => {
      const { chosenRepo } = await import('../../local/current-repo.ts');
      const { renderTarget } = await import('../../render/render-notifications.ts');
      const { findTarget } = await import('../../session/find-by-suffix.ts');
      refuseBoth(options, 'repo', 'allRepos');
      refuseBoth(options, 'enable', 'disable');
      const { to, repo, allRepos, description, enable, disable } = options;
      const changes = {
        ...(await eventsAndFormat(options)),
        ...(to === undefined ? {} : { url: to }),
        ...(allRepos === undefined ? {} : { repo_id: null }),
        ...(description === undefined ? {} : { description: description === '' ? null : description }),
        ...(enable === undefined ? {} : { enabled: true }),
        ...(disable === undefined ? {} : { enabled: false }),
      };
      if (Object.keys(changes).length === 0 && repo === undefined) {
        throw new CommandError(
          exitCode.usage,
          `Nothing to change was given. The options are listed by: ${ownCommand()} notifications edit --help`,
        );
      }
      await withRemote(options, async ({ client, output }) => {
        const { id } = await findTarget(client, given);
        const repoId = repo === undefined ? {} : { repo_id: await chosenRepo(client, repo) };
        const target = await client.notifications.update.mutate({ id, ...changes, ...repoId });
        output.data(target, (style) => renderTarget(target, style));
      });
      finish(exitCode.done);
    });
}

function refuseBoth(options: EditOptions, one: keyof EditOptions, other: keyof EditOptions): void {
  if (options[one] === undefined || options[other] === undefined) return;
  const names = [one, other].map((name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  throw new CommandError(exitCode.usage, `Pass either ${names.join(' or ')}.`);
}
