import type { Command } from 'commander';
import { CommandError, type ExitCode, exitCode } from '../terminal/exit-code.ts';

interface RunOptions {
  readonly repo: string;
  readonly url?: string;
  readonly embedded?: true;
  readonly issue?: string;
  readonly title?: string;
  readonly base?: string;
  readonly setup?: string;
  readonly test?: string;
  readonly setupNetwork?: true;
  readonly continue?: true;
  readonly wait: boolean;
  readonly yes?: true;
  readonly json?: true;
}

const EXAMPLES = `Examples:
  sluice run --repo . --issue bug.md            an issue file: first line = title
  sluice run --repo ../shop --issue - < bug.md  the issue from standard input
  sluice run --repo . --issue bug.md --yes      approve the plan without asking
  sluice run --repo . --continue                go on with what was interrupted or has failed
  sluice run --repo acme/shop --issue bug.md    on the server that you are logged in to
  sluice run --repo . --issue bug.md --setup-network --test 'npm run unit'
                                                install first; test in a way of your own
`;

export function addRunCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('run')
    .description('take an issue on a repository to a tested branch, here and now or on a server')
    .requiredOption('--repo <path-or-url>', 'a git repository: a folder, an https:// URL, or owner/name on a server')
    .option('--url <url>', 'the server; default: SLUICE_URL, or the one last logged in to, or one of its own')
    .option('--embedded', 'a server of its own, for its own time, whichever you are logged in to')
    .option('--issue <file>', 'the issue: a file, or - for standard input')
    .option('--title <title>', 'its title; default: the first line of the file')
    .option('--base <branch>', 'the branch to start from; default: the repository’s own')
    .option('--setup <command>', 'installs what the repository needs; default: found by its lockfile')
    .option('--setup-network', 'let the setup command reach the package registries')
    .option('--test <command>', 'tests the repository; default: found by its files')
    .option(
      '--continue',
      'go on with the active issue of this repository, or try its failed one again, instead of a new one',
    )
    .option('--no-wait', 'end with exit code 9 when the plan waits for approval')
    .option('-y, --yes', 'approve the plan without asking')
    .option('--json', 'print the issue as JSON when it has ended')
    .addHelpText('before', EXAMPLES)
    .action(async (options: RunOptions) => {
      if ((options.issue === undefined) === (options.continue === undefined)) {
        throw new CommandError(exitCode.usage, 'Give either --issue FILE or --continue.');
      }
      if (options.url !== undefined && options.embedded === true) {
        throw new CommandError(exitCode.usage, 'Give either --url or --embedded.');
      }
      const { runOnRepo } = await import('./run-on-repo.ts');
      finish(await runOnRepo({ ...options, yes: options.yes === true, json: options.json === true }));
    });
}
