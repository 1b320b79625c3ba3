import type { NotificationTarget } from '@sluice/client';
import { Argument, type Command } from 'commander';
import type { Remote, RemoteOptions } from '../../session/remote.ts';
import { ownCommand } from '../../terminal/environment.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { remoteCommand, withRemote } from '../remote-command.ts';
import { DESCRIPTION_OPTION, EVENTS_NOTE, EVENTS_OPTION, eventsAndFormat, FORMAT_OPTION } from './target-options.ts';

interface AddOptions extends RemoteOptions {
  readonly format?: string;
  readonly events?: string[];
  readonly repo?: string;
  readonly description?: string;
}

export function addNotificationsAddCommand(notifications: Command, finish: Finish): void {
  remoteCommand(notifications, 'add', {
    description: 'send notifications to a webhook, and print the secret that signs them',
    examples: [
      'sluice notifications add https://example.com/hooks/sluice',
      'sluice notifications add https://hooks.slack.com/services/… --format slack',
      'sluice notifications add https://ntfy.sh/TOPIC --format ntfy --events gate.opened question.asked',
      'sluice notifications add https://example.com/hooks/sluice --repo acme/shop',
    ],
    notes: EVENTS_NOTE,
  })
    .argument('<address>', 'the URL of the webhook')
    .option(...FORMAT_OPTION)
    .option(EVENTS_OPTION[0], `${EVENTS_OPTION[1]} (default: all)`)
    .option('-R, --repo <repository>', 'only of this repository (default: of all)')
    .option(...DESCRIPTION_OPTION)
    .action(async (address: string, options: AddOptions) => {
      const { chosenRepo } = await import('../../local/current-repo.ts');
      const { renderTarget } = await import('../../render/render-notifications.ts');
      const { shortId } = await import('../../render/short-id.ts');
      const chosen = await eventsAndFormat(options);
      const { repo, description } = options;
      await withRemote(options, async ({ client, output }) => {
        const { secret, ...target } = await client.notifications.create.mutate({
          url: address,
          ...chosen,
          ...(repo === undefined ? {} : { repo_id: await chosenRepo(client, repo) }),
          ...(description === undefined ? {} : { description }),
        });
        output.data({ ...target, secret }, (style) => `${renderTarget(target, style)}\nSecret       ${secret}`);
        const receiver = target.format === 'standard' ? 'give it to the receiver' : 'a chat does not need it';
        output.message(
          `The secret is shown only once: ${receiver}. Then try it: ${ownCommand()} notifications test ${shortId(target.id)}`,
        );
      });
      finish(exitCode.done);
    });
}

export function addNotificationsEmailCommand(notifications: Command, finish: Finish): void {
  remoteCommand(notifications, 'email', {
    description: 'turn e-mails on or off, to the address of your account',
    examples: [
      'sluice notifications email on                            when an issue needs you',
      'sluice notifications email on --events gate.opened issue.completed',
      'sluice notifications email off',
    ],
    notes: EVENTS_NOTE,
  })
    .addArgument(new Argument('<state>', 'on or off').choices(['on', 'off']))
    .option(EVENTS_OPTION[0], `${EVENTS_OPTION[1]} (default: those that ask you for something)`)
    .action(async (state: 'on' | 'off', options: AddOptions) => {
      const { renderTarget } = await import('../../render/render-notifications.ts');
      const chosen = await eventsAndFormat(options);
      await withRemote(options, async (remote) => {
        const target = await setEmail(remote, { ...chosen, enabled: state === 'on' });
        if (target === null) remote.output.message('The e-mails are off already.');
        else remote.output.data(target, (style) => renderTarget(target, style));
      });
      finish(exitCode.done);
    });
}

/** Turns the e-mails of the user on or off. Null when there is nothing to turn off. */
async function setEmail(
  { client }: Pick<Remote, 'client'>,
  settings: Awaited<ReturnType<typeof eventsAndFormat>> & { readonly enabled: boolean },
): Promise<NotificationTarget | null> {
  const { items } = await client.notifications.list.query();
  const found = items.find(({ channel }) => channel === 'email');
  if (found !== undefined) return await client.notifications.update.mutate({ id: found.id, ...settings });
  if (!settings.enabled) return null;
  const { enabled, ...draft } = settings;
  const { secret, ...made } = await client.notifications.create.mutate({ channel: 'email', ...draft });
  return made;
}
