import type { Command } from 'commander';
import { renderMigration } from '../render/render-migration.ts';
import { type ExitCode, exitCode } from '../terminal/exit-code.ts';
import { createOutput } from '../terminal/output.ts';

const EXAMPLES = `Examples:
  sluice migrate              bring the database up to date, before the servers start
  sluice migrate --dry-run    list what that would change
  sluice migrate --json       what was changed, for a program
`;

const NOTES = `
It takes the database that the servers have: DATABASE_URL, or SQLite in DATA_DIR. Every start of a server does the same
first. Of several processes one migrates and the others wait; with Postgres, servers of the version before go on
meanwhile. On Postgres the queue's own tables are brought up to date as well; they are not listed.
`;

export function addMigrateCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('migrate')
    .description('bring the database up to date, and say what was changed')
    .option('--dry-run', 'list what is missing and change nothing')
    .option('--data-dir <folder>', 'the data folder (DATA_DIR), where the database is SQLite')
    .option('--json', 'print the result as JSON')
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', NOTES)
    .action(async ({ dataDir, dryRun, json }: { dataDir?: string; dryRun?: true; json?: true }) => {
      const { migrate } = await import('@sluice/server');
      const overrides: Record<string, string> = dataDir === undefined ? {} : { DATA_DIR: dataDir };
      const report = await migrate({ overrides, dryRun: dryRun === true });
      createOutput({ json: json === true }).data(report, () => renderMigration(report));
      finish(exitCode.done);
    });
}
