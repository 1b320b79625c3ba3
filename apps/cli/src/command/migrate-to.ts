import type { Command } from 'commander';
import { renderMove, renderMoveSecrets, whatComesNext } from '../render/render-transfer.ts';
import { type ExitCode, exitCode } from '../terminal/exit-code.ts';
import { createOutput } from '../terminal/output.ts';

const EXAMPLES = `Examples:
  sluice migrate-to postgres://sluice@db.example.com/sluice
                                 copy the embedded installation in DATA_DIR to Postgres
  sluice migrate-to postgres://… --show-secrets > secrets.env
                                 and write down the secrets that its servers need
`;

const NOTES = `
Stop the server first. The target is an empty database, or one that an earlier run has filled. All rows are copied in
one transaction, read back and compared; after a failure at any point nothing is there, and it can be run again.

Leases end, and issues under way go on from their last checkpoint. Not copied, because every host builds it anew: the
code index and its vectors, clones, and working trees. The data folder stays as it is, with a note that keeps a server
from starting on it by mistake.

A password on the command line can be read by every user of this host: leave it out of the address and set PGPASSWORD,
or write it into ~/.pgpass.
`;

interface MigrateToOptions {
  readonly dataDir?: string;
  readonly showSecrets?: true;
  readonly json?: true;
}

export function addMigrateToCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('migrate-to')
    .description('copy the embedded installation in DATA_DIR to Postgres')
    .argument('<postgres-url>', 'postgres://USER@HOST:PORT/DATABASE')
    .option('--data-dir <folder>', 'the data folder (DATA_DIR)')
    .option('--show-secrets', 'print the secrets that the servers need, as lines of an environment file')
    .option('--json', 'print the result as JSON')
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', NOTES)
    .action(async (url: string, { dataDir, showSecrets, json }: MigrateToOptions) => {
      const { moveToPostgres } = await import('@sluice/server');
      const output = createOutput({ json: json === true });
      const report = await moveToPostgres({
        url,
        overrides: dataDir === undefined ? {} : { DATA_DIR: dataDir },
        onTable: ({ name, rows }, step) => output.talk(`${step} ${name} (${rows})`),
      });
      const secrets = report.secrets.map(({ value, ...secret }) =>
        showSecrets === true ? { ...secret, value } : secret,
      );
      if (showSecrets === true && !output.json) {
        // What goes into a file is nothing but secrets: the table is talk then.
        output.talk(renderMove(report, output.talkStyle));
        output.data(report, () => renderMoveSecrets(report));
      } else {
        output.data({ ...report, secrets }, (style) => renderMove(report, style));
      }
      output.talk(whatComesNext(report));
      finish(exitCode.done);
    });
}
