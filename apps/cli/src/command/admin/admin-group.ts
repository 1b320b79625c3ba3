import type { Command } from 'commander';
import { renderRotation } from '../../render/render-rotation.ts';
import { type ExitCode, exitCode } from '../../terminal/exit-code.ts';
import { createOutput } from '../../terminal/output.ts';
import { addAdminAuditCommand } from './audit.ts';
import { addAdminCodeHostCommands } from './code-host.ts';
import { addAdminUsersCommands } from './users.ts';

const EXAMPLES = `Examples:
  ENCRYPTION_KEYS=new:KEY,old:KEY sluice admin rotate-keys
                                 seal every stored token under the key "new"
  sluice admin rotate-keys --json
`;

const NOTES = `
To change the key: put a new one in front of ENCRYPTION_KEYS, restart every server, run this, and take the old key away
when it says that nothing is left under it. Servers on Postgres go on serving meanwhile; with SQLite, stop the server
first. It can be stopped and run again at any time. Keys that were generated are in DATA_DIR/secrets.json.
`;

/** What the operator does on the machine itself, without a server. */
export function addAdminCommands(program: Command, finish: (code: ExitCode) => void): void {
  const admin = program.command('admin').description("the operator's own, on the machine itself");
  addAdminUsersCommands(admin, finish);
  addAdminAuditCommand(admin, finish);
  addAdminCodeHostCommands(admin, finish);
  admin
    .command('rotate-keys')
    .description('seal every stored token under the first of ENCRYPTION_KEYS')
    .option('--data-dir <folder>', 'the data folder (DATA_DIR)')
    .option('--json', 'print the result as JSON')
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', NOTES)
    .action(async ({ dataDir, json }: { dataDir?: string; json?: true }) => {
      const { rotateKeys } = await import('@sluice/server');
      const report = await rotateKeys({ overrides: dataDir === undefined ? {} : { DATA_DIR: dataDir } });
      createOutput({ json: json === true }).data(report, () => renderRotation(report));
      finish(report.unreadable === 0 ? exitCode.done : exitCode.unexpected);
    });
}
