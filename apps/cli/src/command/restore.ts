import type { Command } from 'commander';
import { afterRestore, renderRestore } from '../render/render-backup.ts';
import { confirmed } from '../terminal/confirm.ts';
import { type ExitCode, exitCode } from '../terminal/exit-code.ts';
import { createOutput } from '../terminal/output.ts';

const EXAMPLES = `Examples:
  sluice restore sluice.tar.gz             put it into DATA_DIR
  sluice restore --data-dir /srv/sluice --yes sluice.tar.gz
                                           and replace what is there, without being asked
`;

const NOTES = `
Stop the server first. The whole backup is read and checked before the data folder changes, and the folder then holds
all of it or is as it was. What was there before stays in a folder beside it. A backup of a newer Sluice is refused.
`;

interface RestoreCommandOptions {
  readonly dataDir?: string;
  readonly yes?: true;
  readonly json?: true;
}

export function addRestoreCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('restore')
    .description('put a backup into DATA_DIR, in the place of what is there')
    .argument('<file>', 'an archive that "sluice backup" has made')
    .option('--yes', 'replace an installation that is there without asking')
    .option('--data-dir <folder>', 'the data folder (DATA_DIR)')
    .option('--json', 'print what was restored as JSON')
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', NOTES)
    .action(async (file: string, { dataDir, yes, json }: RestoreCommandOptions) => {
      const { restoreBackup } = await import('@sluice/server');
      const output = createOutput({ json: json === true });
      const report = await restoreBackup({
        file,
        overrides: dataDir === undefined ? {} : { DATA_DIR: dataDir },
        confirmReplace: ({ dataDir: folder, backup }) =>
          confirmed(`Replace the installation in ${folder} by its backup of ${backup.created_at}?`, yes === true),
      });
      output.data(report, () => renderRestore(report));
      output.talk(afterRestore(report));
      finish(exitCode.done);
    });
}
