import type { Command } from 'commander';
import { renderAfterRestore, renderRestore } from '../render/render-backup.ts';
import { confirm } from '../terminal/confirm.ts';
import { exitCode, type Finish } from '../terminal/exit-code.ts';
import { createOutput } from '../terminal/output.ts';
import { type InstallationOptions, installationCommand, installationOf } from './installation-command.ts';

const NOTES = `Stop the server first. The backup is read and verified completely before the data folder changes; if the restore fails, the
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
    notes: NOTES,
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
