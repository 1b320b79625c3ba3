import type { Command } from 'commander';
import { Argument, Option } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { positiveInteger } from '../add-command.ts';
import { REPO_OPTION, remoteCommand, withRemote } from '../remote-command.ts';
import { ROLES } from './roles.ts';

interface InvitationOptions extends RemoteOptions {
  readonly repo?: string;
}

interface ListOptions extends InvitationOptions {
  readonly limit?: number;
  readonly cursor?: string;
}

/** `members invite`, `invitations` and `withdraw`. */
export function addInvitationCommands(members: Command, finish: Finish): void {
  remoteCommand(members, 'invite', {
    description: 'invite somebody without an account, and print the link for them: it works once, for seven days',
    examples: ['sluice members invite grace@example.com --role contributor --repo acme/shop'],
  })
    .addArgument(new Argument('<email>', 'e-mail that the account has to be made with'))
    .addOption(new Option('--role <role>', 'role in the repository').choices(ROLES).makeOptionMandatory())
    .option(...REPO_OPTION)
    .action(async (email: string, options: InvitationOptions & { readonly role: (typeof ROLES)[number] }) => {
      const { chosenRepo } = await import('../../local/current-repo.ts');
      await withRemote(options, async ({ client, output }) => {
        const id = await chosenRepo(client, options.repo);
        const made = await client.repos.inviteMember.mutate({ id, email, role: options.role });
        output.message(`Give this link to ${made.email} if the server sends no e-mails. It is not shown again.`);
        output.data(made, () => made.url);
      });
      finish(exitCode.done);
    });

  remoteCommand(members, 'invitations', {
    description: 'list the open invitations to a repository, newest first',
    examples: ['sluice members invitations --repo acme/shop'],
  })
    .option(...REPO_OPTION)
    .option('-L, --limit <number>', 'maximum number of results, 1 to 100', positiveInteger)
    .option('--cursor <cursor>', 'continue from the end of the previous page')
    .action(async ({ limit, cursor, ...options }: ListOptions) => {
      const { chosenRepo } = await import('../../local/current-repo.ts');
      const { renderInvitations } = await import('../../render/render-invitations.ts');
      await withRemote(options, async ({ client, output }) => {
        const id = await chosenRepo(client, options.repo);
        const list = await client.repos.invitations.query({ id, limit, cursor });
        await output.longData(list, (style, page) => renderInvitations(list.items, { style, page }));
        if (list.next_cursor !== null) output.message(`More results: --cursor ${list.next_cursor}`);
      });
      finish(exitCode.done);
    });

  remoteCommand(members, 'withdraw', {
    description: 'take an invitation to a repository back',
    examples: ['sluice members withdraw 0193a5c4-2f6b-7a10-8d3e-4c5b6a798802 --repo acme/shop'],
  })
    .addArgument(new Argument('<invitation>', 'whole id, as `members invitations` shows it'))
    .option(...REPO_OPTION)
    .action(async (invitation_id: string, options: InvitationOptions) => {
      const { chosenRepo } = await import('../../local/current-repo.ts');
      await withRemote(options, async ({ client, output }) => {
        const id = await chosenRepo(client, options.repo);
        await client.repos.withdrawInvitation.mutate({ id, invitation_id });
        output.message('Took the invitation back: its link no longer works.');
      });
      finish(exitCode.done);
    });
}
