import type { Command } from 'commander';
import { renderRotation, renderVacuum } from '../../render/render-database.ts';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { createOutput } from '../../terminal/output.ts';
import { addCommand } from '../add-command.ts';
import { addAdminBudgetsCommand } from '../budgets/operator-budgets.ts';
import { type InstallationOptions, installationCommand, installationOf } from '../installation-command.ts';
import { remoteCommand, withRemote } from '../remote-command.ts';
import { addAdminAuditCommand } from './audit.ts';
import { addAdminCodeHostCommands } from './code-host.ts';
import { addAdminInvitationsCommands } from './invitations.ts';
import { OPERATOR_NOTES, type OperatorPageOptions, operatorPageCommand, pageOf } from './operator-page.ts';
import { addAdminTokensCommands } from './tokens.ts';
import { addAdminUsersCommands } from './users.ts';

export function addAdminCommands(program: Command, finish: Finish): void {
  const admin = addCommand(program, 'admin', {
    description: 'administer the installation on this machine',
    examples: ['sluice admin overview', 'sluice admin users list', 'sluice admin audit --user eve@example.com'],
  });
  addAdminOverviewCommand(admin, finish);
  addAdminBudgetsCommand(admin, finish);
  addAdminUsersCommands(admin, finish);
  addAdminTokensCommands(admin, finish);
  addAdminInvitationsCommands(admin, finish);
  addAdminReposCommand(admin, finish);
  addAdminAuditCommand(admin, finish);
  addAdminCodeHostCommands(admin, finish);
  addRotateKeysCommand(admin, finish);
  addVacuumCommand(admin, finish);
}

const ROTATION_NOTES = `To change the key: put a new one first in ENCRYPTION_KEYS, restart every server, run this, and remove the old key when the
command reports that no secret uses it. Servers on Postgres can keep running; with SQLite, stop the server first. The
command can be interrupted and run again. Generated keys are in DATA_DIR/secrets.json.
`;

function addRotateKeysCommand(admin: Command, finish: Finish): void {
  installationCommand(admin, 'rotate-keys', {
    description: 're-encrypt every stored token with the first of ENCRYPTION_KEYS',
    examples: ['ENCRYPTION_KEYS=new:KEY,old:KEY sluice admin rotate-keys', 'sluice admin rotate-keys --json'],
    notes: ROTATION_NOTES,
  }).action(async (options: InstallationOptions) => {
    const { rotateKeys } = await import('@sluice/server');
    const report = await rotateKeys(installationOf(options));
    createOutput(options).data(report, () => renderRotation(report));
    finish(report.unreadable === 0 ? exitCode.done : exitCode.unexpected);
  });
}

const VACUUM_NOTES = `Stop the server first. Needs as much free space in the data folder as the rows take. Databases that this release or a later
one has made return the space of deleted rows by themselves; one of an earlier release does so after this command.
`;

function addVacuumCommand(admin: Command, finish: Finish): void {
  installationCommand(admin, 'vacuum', {
    description: 'rewrite the embedded database without the space of deleted rows',
    examples: ['sluice admin vacuum', 'sluice admin vacuum --json'],
    notes: VACUUM_NOTES,
  }).action(async (options: InstallationOptions) => {
    const { vacuum } = await import('@sluice/server');
    const report = await vacuum(installationOf(options));
    createOutput(options).data(report, () => renderVacuum(report));
    finish(exitCode.done);
  });
}

const NOTES = `${OPERATOR_NOTES}The first account is an operator; "sluice admin users grant-operator" makes others. Secrets are not shown.
`;

function addAdminOverviewCommand(admin: Command, finish: Finish): void {
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

function addAdminReposCommand(admin: Command, finish: Finish): void {
  operatorPageCommand(admin, 'repos', {
    description: 'list the registered repositories of all users, newest first',
    examples: ['sluice admin repos', 'sluice admin repos --jq ".items[] | select(.registrant.disabled)"'],
  }).action(async (options: OperatorPageOptions) => {
    const { renderRegisteredRepos } = await import('../../render/render-repos.ts');
    await withRemote(options, async ({ client, output }) => {
      const list = await client.admin.repos.query(pageOf(options));
      await output.longData(list, (style, page) => renderRegisteredRepos(list.items, { style, page }));
      if (list.next_cursor !== null) output.message(`More results: --cursor ${list.next_cursor}`);
    });
    finish(exitCode.done);
  });
}
