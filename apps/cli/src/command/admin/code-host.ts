import type { Command } from 'commander';
import { renderForget, renderMove } from '../../render/render-code-host.ts';
import { confirm } from '../../terminal/confirm.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { createOutput } from '../../terminal/output.ts';
import { type InstallationOptions, installationCommand, installationOf } from '../installation-command.ts';

const MOVED_NOTES = `Stop every server first. Set CODEHOST_URL (and CODEHOST_API_URL) to the new address, run this, and start the servers again.
Accounts, tokens and registrations stay. The addresses of all registrations are updated, or none of them. Links that were
written earlier keep the old address.
`;

const FORGET_NOTES = `Stop every server first. This unlinks every account at the code host and deletes its token, and deletes what is stored about
the events of the host. Issues stay. Registered repositories stay as remotes without an account: their users can set an
access token (PATCH /api/repos/{id}), or register them again at the new host.

Users who signed in there and have no password can no longer log in. Their open sessions stay valid: in one, they can set an
e-mail address and a password, or link their account at the new host. Without a session, "sluice admin users
reset-password" helps users who have an e-mail address, and no others. So ask users to set both beforehand. The change is
recorded in each user's audit log.
`;

/** `codehost-moved` and `codehost-forget`, for a code host that has a new address or is replaced. */
export function addAdminCodeHostCommands(admin: Command, finish: Finish): void {
  installationCommand(admin, 'codehost-moved', {
    description: 'change the address of the code host to CODEHOST_URL',
    examples: ['CODEHOST_URL=https://git.example.com sluice admin codehost-moved'],
    notes: MOVED_NOTES,
  }).action(async (options: InstallationOptions) => {
    const { moveCodeHost } = await import('@sluice/server');
    const report = await moveCodeHost(installationOf(options));
    createOutput(options).data(report, () => renderMove(report));
    finish(report.blocked.length === 0 ? exitCode.done : exitCode.conflict);
  });

  installationCommand(admin, 'codehost-forget', {
    description: 'unlink every account, so that the code host can be replaced with another one',
    examples: ['sluice admin codehost-forget --yes'],
    notes: FORGET_NOTES,
  })
    .option('--yes', 'skip the confirmation')
    .action(async (options: InstallationOptions & { readonly yes?: true }) => {
      await confirm(
        'Unlink every account at the code host? Users without a password can no longer log in.',
        options.yes === true,
      );
      const { forgetCodeHost } = await import('@sluice/server');
      const report = await forgetCodeHost(installationOf(options));
      createOutput(options).data(report, () => renderForget(report));
      finish(exitCode.done);
    });
}
