import type { Command } from 'commander';
import { renderNextSteps, renderTransfer, renderTransferSecrets } from '../render/render-transfer.ts';
import { exitCode, type Finish } from '../terminal/exit-code.ts';
import { createOutput } from '../terminal/output.ts';
import { type InstallationOptions, installationCommand, installationOf } from './installation-command.ts';

const NOTES = `Stop the server first. The target must be an empty database, or one that an earlier run filled. All rows are copied in one
transaction, read back and compared. If it fails, the target is unchanged and the command can be run again.

Leases end, and running issues continue from their last checkpoint. The code index and its vectors, clones and working
trees are not copied: each host rebuilds its own. The data folder stays unchanged, except for a note that keeps a server
from starting on it by mistake.

Other users of this machine can see a password on the command line. Leave it out of the URL and set PGPASSWORD, or store it
in ~/.pgpass.
`;

interface MigrateToOptions extends InstallationOptions {
  readonly showSecrets?: true;
}

export function addMigrateToCommand(program: Command, finish: Finish): void {
  installationCommand(program, 'migrate-to', {
    description: 'copy the embedded installation in DATA_DIR to Postgres',
    examples: [
      'sluice migrate-to postgres://sluice@db.example.com/sluice',
      'sluice migrate-to postgres://… --show-secrets > secrets.env\n                                 also save the secrets that the servers need',
    ],
    notes: NOTES,
  })
    .argument('<postgres-url>', 'postgres://USER@HOST:PORT/DATABASE')
    .option('--show-secrets', 'print the secrets that the servers need, as lines of an environment file')
    .action(async (url: string, options: MigrateToOptions) => {
      const showSecrets = options.showSecrets === true;
      const { moveToPostgres } = await import('@sluice/server');
      const output = createOutput(options);
      const report = await moveToPostgres({
        url,
        ...installationOf(options),
        onTable: ({ name, rows }, step) => output.message(`${step} ${name} (${rows})`),
      });
      const secrets = report.secrets.map(({ value, ...secret }) => (showSecrets ? { ...secret, value } : secret));
      if (showSecrets && !output.json) {
        // stdout is redirected to a file of secrets, so the table goes to stderr.
        output.message(renderTransfer(report, output.messageStyle));
        output.data(report, () => renderTransferSecrets(report));
      } else {
        output.data({ ...report, secrets }, (style) => renderTransfer(report, style));
      }
      output.message(renderNextSteps(report));
      finish(exitCode.done);
    });
}
