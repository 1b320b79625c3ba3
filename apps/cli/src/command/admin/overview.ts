import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { remoteCommand, withRemote } from '../remote-command.ts';
import { OPERATOR_NOTES } from './operator-page.ts';

const NOTES = `${OPERATOR_NOTES}The first account is an operator; "sluice admin users grant-operator" makes others. Secrets are not shown.
`;

export function addAdminOverviewCommand(admin: Command, finish: Finish): void {
  remoteCommand(admin, 'overview', {
    description: 'show the queue, who holds the slots, the workers, the readiness and the configuration of a server',
    examples: ['sluice admin overview', 'sluice admin overview --jq ".workers[].sandbox"'],
    notes: NOTES,
  }).action(async (options: RemoteOptions) => {
    const { renderOverview } = await import('../../render/render-overview.ts');
    await withRemote(options, async ({ client, output }) => {
      const overview = await client.admin.overview.query();
      output.data(overview, (style, page) => renderOverview(overview, { style, page }));
    });
    finish(exitCode.done);
  });
}
