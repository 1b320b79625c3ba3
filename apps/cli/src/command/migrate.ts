import type { Command } from 'commander';
import { renderMigration } from '../render/render-database.ts';
import { exitCode, type Finish } from '../terminal/exit-code.ts';
import { createOutput } from '../terminal/output.ts';
import { type InstallationOptions, installationCommand, installationOf } from './installation-command.ts';

const NOTES = `Works on the database of the servers: DATABASE_URL, or SQLite in DATA_DIR. Every server also migrates when it starts. When
several processes start, one migrates and the others wait; with Postgres, servers of the previous version keep running
meanwhile. On Postgres this also migrates the tables of the queue, which are not listed.
`;

export function addMigrateCommand(program: Command, finish: Finish): void {
  installationCommand(program, 'migrate', {
    description: 'migrate the database and list the migrations',
    examples: [
      'sluice migrate              migrate the database before the servers start',
      'sluice migrate --dry-run    list the pending migrations',
      'sluice migrate --json       list the migrations as JSON',
    ],
    notes: NOTES,
  })
    .option('--dry-run', 'list the pending migrations without applying them')
    .action(async (options: InstallationOptions & { readonly dryRun?: true }) => {
      const { migrate } = await import('@sluice/server');
      const report = await migrate({ ...installationOf(options), dryRun: options.dryRun === true });
      createOutput(options).data(report, () => renderMigration(report));
      finish(exitCode.done);
    });
}
