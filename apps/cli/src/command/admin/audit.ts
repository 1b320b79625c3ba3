import type { Command } from 'commander';
import { renderAudit } from '../../render/render-accounts.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { type AccountPageOptions, accountPageCommand, orNotFound, printPage, withAccounts } from './account-command.ts';

export function addAdminAuditCommand(admin: Command, finish: Finish): void {
  accountPageCommand(admin, 'audit', {
    description: 'list who decided and changed what, newest first',
    examples: ['sluice admin audit', 'sluice admin audit --user eve@example.com --json'],
  })
    .option('--user <user>', 'only the entries of this user')
    .action(async (options: AccountPageOptions & { readonly user?: string }) => {
      const { user = null } = options;
      const page = await withAccounts(options, (accounts, request) => accounts.audit(user, request));
      const list = orNotFound(user ?? '', page);
      printPage(options, list, (style, sheet) => renderAudit(list.items, { style, page: sheet }));
      finish(exitCode.done);
    });
}
