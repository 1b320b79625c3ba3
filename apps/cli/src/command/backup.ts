import type { Command } from 'commander';
import { aboutSecrets, renderBackup } from '../render/render-backup.ts';
import { type ExitCode, exitCode } from '../terminal/exit-code.ts';
import { createOutput } from '../terminal/output.ts';

const EXAMPLES = `Examples:
  sluice backup sluice.tar.gz              save the installation in DATA_DIR, also while its server runs
  sluice backup --yes /mnt/backup/sluice.tar.gz
                                           replace the one of before, once the new one is whole
  sluice backup --json sluice.tar.gz       what is in it, for a program
`;

const NOTES = `
The file holds the database as it is at one instant, and secrets.json: KEEP IT SECRET. Secrets that the environment
gives are not in it. Clones, working trees and the code index are not in it either: every installation builds its own.

For the embedded installation. Where the database is Postgres, save it with pg_dump, and keep SESSION_SECRET and
ENCRYPTION_KEYS beside it.
`;

interface BackupCommandOptions {
  readonly dataDir?: string;
  readonly yes?: true;
  readonly json?: true;
}

export function addBackupCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('backup')
    .description('save the embedded installation in DATA_DIR, with its secrets, into one file')
    .argument('<file>', 'the archive that is made (.tar.gz)')
    .option('--yes', 'replace the file when it is there already')
    .option('--data-dir <folder>', 'the data folder (DATA_DIR)')
    .option('--json', 'print what is in it as JSON')
    .addHelpText('before', EXAMPLES)
    .addHelpText('after', NOTES)
    .action(async (file: string, { dataDir, yes, json }: BackupCommandOptions) => {
      const { backUp } = await import('@sluice/server');
      const output = createOutput({ json: json === true });
      const overrides: Record<string, string> = dataDir === undefined ? {} : { DATA_DIR: dataDir };
      const report = await backUp({ file, replace: yes === true, overrides });
      output.data(report, () => renderBackup(report));
      output.talk(aboutSecrets(report));
      finish(exitCode.done);
    });
}
