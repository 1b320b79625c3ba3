import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { addCommand } from '../add-command.ts';
import { remoteCommand, withRemote } from '../remote-command.ts';
import { OPERATOR_NOTES, type OperatorPageOptions, operatorPageCommand, pageOf } from './operator-page.ts';

/** `admin invitations list`, `create` and `withdraw`. */
export function addAdminInvitationsCommands(admin: Command, finish: Finish): void {
  const invitations = addCommand(admin, 'invitations', {
    description: 'invite people to make an account, and see who is invited',
    examples: ['sluice admin invitations create grace@example.com', 'sluice admin invitations list'],
  });

  operatorPageCommand(invitations, 'list', {
    description: 'list the open invitations of all users, newest first',
    examples: ['sluice admin invitations list --json'],
  }).action(async (options: OperatorPageOptions) => {
    const { renderInvitations } = await import('../../render/render-invitations.ts');
    await withRemote(options, async ({ client, output }) => {
      const list = await client.admin.invitations.query(pageOf(options));
      await output.longData(list, (style, page) => renderInvitations(list.items, { style, page }));
      if (list.next_cursor !== null) output.message(`More results: --cursor ${list.next_cursor}`);
    });
    finish(exitCode.done);
  });

  remoteCommand(invitations, 'create <email>', {
    description: 'invite somebody, and print the link for them: it works once, for seven days',
    examples: ['sluice admin invitations create grace@example.com'],
    notes: OPERATOR_NOTES,
  }).action(async (email: string, options: RemoteOptions) => {
    await withRemote(options, async ({ client, output }) => {
      const made = await client.admin.invite.mutate({ email });
      output.message(`Give this link to ${made.email} if the server sends no e-mails. It is not shown again.`);
      output.data(made, () => made.url);
    });
    finish(exitCode.done);
  });

  remoteCommand(invitations, 'withdraw <invitation>', {
    description: 'take an invitation back, named by its whole id',
    examples: ['sluice admin invitations withdraw 0193a5c4-2f6b-7a10-8d3e-4c5b6a798802'],
    notes: OPERATOR_NOTES,
  }).action(async (invitation_id: string, options: RemoteOptions) => {
    await withRemote(options, async ({ client, output }) => {
      await client.admin.withdrawInvitation.mutate({ invitation_id });
      output.message('Took the invitation back: its link no longer works.');
    });
    finish(exitCode.done);
  });
}
