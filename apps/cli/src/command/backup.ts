import type { Command } from 'commander';
import { renderBackup, renderSecretsWarning } from '../render/render-backup.ts';
import { exitCode, type Finish } from '../terminal/exit-code.ts';
import { createOutput } from '../terminal/output.ts';
import { type InstallationOptions, installationCommand, installationOf } from './installation-command.ts';

const NOTES = `The file holds a snapshot of the database, and secrets.json: KEEP IT SECRET. It does not hold secrets that are set in the
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
    notes: NOTES,
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
