import type { Command } from 'commander';
import { renderForget, renderMove } from '../../render/render-code-host.ts';
import { confirmed } from '../../terminal/confirm.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { createOutput } from '../../terminal/output.ts';
import { examplesText, type Finish } from '../remote-command.ts';

const MOVED_NOTES = `
Stop every server first. Set CODEHOST_URL (and CODEHOST_API_URL) to the new address, run this, and start them again.
Accounts, grants and registrations stay; registrations follow to the new address, all of them or none. Links that were
written down before keep the old address.
`;

const FORGET_NOTES = `
Stop every server first. Every account at the code host is unlinked and its token thrown away; what is known of the host's
events goes. Issues stay. Registered repositories stay as remotes that are reached without an account: their users give
them a token of their own (PATCH /api/repos/{id}), or register them anew at the new host.

Who signed in there and has no password cannot log in any more. A session that he has goes on: in it he sets an e-mail and
a password, or links his account at the new host. Without one, "sluice admin users reset-password" helps whoever has an
e-mail, and nobody else. So let people set theirs before. What is done stands in each user's audit log.
`;

interface Options {
  readonly dataDir?: string;
  readonly json?: true;
  readonly yes?: true;
}

/** What the operator does when the code host is at another address, or is another one. */
export function addAdminCodeHostCommands(admin: Command, finish: Finish): void {
  const told = (name: string, { description, example }: { description: string; example: string }) =>
    admin
      .command(name)
      .description(description)
      .option('--data-dir <folder>', 'the data folder (DATA_DIR)')
      .option('--json', 'print the result as JSON')
      .addHelpText('before', examplesText([example]));

  told('codehost-moved', {
    description: 'the same code host has another address now: CODEHOST_URL',
    example: 'CODEHOST_URL=https://git.example.com sluice admin codehost-moved',
  })
    .addHelpText('after', MOVED_NOTES)
    .action(async (options: Options) => {
      const { moveCodeHost } = await import('@sluice/server');
      const report = await moveCodeHost(overridesOf(options));
      createOutput({ json: options.json === true }).data(report, () => renderMove(report));
      finish(report.blocked.length === 0 ? exitCode.done : exitCode.conflict);
    });

  told('codehost-forget', {
    description: 'unlink every account, so that another code host can take its place',
    example: 'sluice admin codehost-forget --yes',
  })
    .option('--yes', 'do not ask')
    .addHelpText('after', FORGET_NOTES)
    .action(async (options: Options) => {
      await confirmed(
        'Unlink every account at the code host? Whoever has no password can log in no more.',
        options.yes === true,
      );
      const { forgetCodeHost } = await import('@sluice/server');
      const report = await forgetCodeHost(overridesOf(options));
      createOutput({ json: options.json === true }).data(report, () => renderForget(report));
      finish(exitCode.done);
    });
}

function overridesOf({ dataDir }: Options) {
  return { overrides: dataDir === undefined ? {} : { DATA_DIR: dataDir } };
}
