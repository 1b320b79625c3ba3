import type { Command } from 'commander';
import { renderAudit } from '../../render/render-accounts.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import type { Finish } from '../remote-command.ts';
import { type AccountPageOptions, accountPageCommand, found, showPage, withAccounts } from './account-command.ts';

/** Who did what, of everybody. */
export function addAdminAuditCommand(admin: Command, finish: Finish): void {
  accountPageCommand(admin, 'audit', {
    description: 'who decided and changed what, newest first',
    examples: ['sluice admin audit', 'sluice admin audit --user eve@example.com --json'],
  })
    .option('--user <user>', 'of one user alone')
    .action(async (options: AccountPageOptions & { readonly user?: string }) => {
      const { user = null } = options;
      const page = await withAccounts(options, (accounts, request) => accounts.audit(user, request));
      const list = found(user ?? '', page);
      showPage(options, list, (style) => renderAudit(list.items, style));
      finish(exitCode.done);
    });
}
