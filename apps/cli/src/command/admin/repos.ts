import type { Command } from 'commander';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { withRemote } from '../remote-command.ts';
import { type OperatorPageOptions, operatorPageCommand, pageOf } from './operator-page.ts';

export function addAdminReposCommand(admin: Command, finish: Finish): void {
  operatorPageCommand(admin, 'repos', {
    description: 'list the registered repositories of all users, newest first',
    examples: ['sluice admin repos', 'sluice admin repos --jq ".items[] | select(.registrant.disabled)"'],
  }).action(async (options: OperatorPageOptions) => {
    const { renderRegisteredRepos } = await import('../../render/render-registered-repos.ts');
    await withRemote(options, async ({ client, output }) => {
      const list = await client.admin.repos.query(pageOf(options));
      await output.longData(list, (style, page) => renderRegisteredRepos(list.items, { style, page }));
      if (list.next_cursor !== null) output.message(`More results: --cursor ${list.next_cursor}`);
    });
    finish(exitCode.done);
  });
}
