import type { Command } from 'commander';
import { renderAfterRestore, renderBackup, renderRestore, renderSecretsWarning } from '../render/render-backup.ts';
import { renderMigration } from '../render/render-database.ts';
import { renderNextSteps, renderTransfer, renderTransferSecrets } from '../render/render-transfer.ts';
import { confirm } from '../terminal/confirm.ts';
import { exitCode, type Finish } from '../terminal/exit-code.ts';
import { createOutput } from '../terminal/output.ts';
import { type InstallationOptions, installationCommand, installationOf } from './installation-command.ts';

const BACKUP_NOTES = `The file holds a snapshot of the database, and secrets.json: KEEP IT SECRET. It does not hold secrets that are set in the
environment, nor clones, working trees and the code index, which every installation rebuilds.

This is for the embedded installation. For Postgres, use pg_dump, and keep SESSION_SECRET and ENCRYPTION_KEYS with the
dump.
`;

export function addBackupCommand(program: Command, finish: Finish): void {
  installationCommand(program, 'backup', {
    description: 'save the embedded installation in DATA_DIR, with its secrets, to one file',
    examples: [
      'sluice backup sluice.tar.gz              works while the server is running',
      'sluice backup --yes /mnt/backup/sluice.tar.gz\n                                           replace the previous backup once the new one is complete',
      'sluice backup --json sluice.tar.gz       print the contents as JSON',
    ],
    notes: BACKUP_NOTES,
  })
    .argument('<file>', 'archive to create (.tar.gz)')
    .option('--yes', 'replace the file if it exists')
    .action(async (file: string, options: InstallationOptions & { readonly yes?: true }) => {
      const { backUp } = await import('@sluice/server');
      const output = createOutput(options);
      const report = await backUp({ file, replace: options.yes === true, ...installationOf(options) });
      output.data(report, () => renderBackup(report));
      output.message(renderSecretsWarning(report));
      finish(exitCode.done);
    });
}

const RESTORE_NOTES = `Stop the server first. The backup is read and verified completely before the data folder changes; if the restore fails, the
folder is unchanged. The previous installation is kept in a folder beside it. A backup made by a newer version of Sluice is
refused.
`;

export function addRestoreCommand(program: Command, finish: Finish): void {
  installationCommand(program, 'restore', {
    description: 'restore a backup to DATA_DIR, replacing the installation there',
    examples: [
      'sluice restore sluice.tar.gz',
      'sluice restore --data-dir /srv/sluice --yes sluice.tar.gz\n                                           replace an installation without asking',
    ],
    notes: RESTORE_NOTES,
  })
    .argument('<file>', 'archive made by "sluice backup"')
    .option('--yes', 'replace an existing installation without asking')
    .action(async (file: string, options: InstallationOptions & { readonly yes?: true }) => {
      const { restoreBackup } = await import('@sluice/server');
      const output = createOutput(options);
      const report = await restoreBackup({
        file,
        ...installationOf(options),
        confirmReplace: ({ dataDir, backup }) =>
          confirm(
            `Replace the installation in ${dataDir} with the backup of ${backup.created_at}?`,
            options.yes === true,
          ),
      });
      output.data(report, () => renderRestore(report));
      output.message(renderAfterRestore(report));
      finish(exitCode.done);
    });
}

const MIGRATE_NOTES = `Works on the database of the servers: DATABASE_URL, or SQLite in DATA_DIR. Every server also migrates when it starts. When
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
    notes: MIGRATE_NOTES,
  })
    .option('--dry-run', 'list the pending migrations without applying them')
    .action(async (options: InstallationOptions & { readonly dryRun?: true }) => {
      const { migrate } = await import('@sluice/server');
      const report = await migrate({ ...installationOf(options), dryRun: options.dryRun === true });
      createOutput(options).data(report, () => renderMigration(report));
      finish(exitCode.done);
    });
}

const MIGRATE_TO_NOTES = `Stop the server first. The target must be an empty database, or one that an earlier run filled. All rows are copied in one
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
    notes: MIGRATE_TO_NOTES,
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
