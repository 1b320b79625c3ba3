import { type Command, Option } from 'commander';
import { CommandError, exitCode, type Finish } from '../terminal/exit-code.ts';
import type { OutputOptions } from '../terminal/output.ts';
import { addCommand } from './add-command.ts';
import { type ConfigurationOptions, configurationFlags, withConfiguration } from './configuration-options.ts';
import { SET_OPTION, SETTINGS } from './repo-settings.ts';

interface RunOptions extends ConfigurationOptions, OutputOptions {
  readonly repo: string;
  readonly server?: true;
  readonly url?: string;
  readonly embedded?: true;
  readonly issue?: string;
  readonly title?: string;
  readonly base?: string;
  readonly setup?: string;
  readonly test?: string;
  readonly setupNetwork?: true;
  readonly set?: string[];
  readonly continue?: true;
  readonly wait: boolean;
  readonly yes?: true;
  readonly verbose?: true;
}

export function addRunCommand(program: Command, finish: Finish): void {
  const command = addCommand(program, 'run', {
    description: 'take an issue from a file to a tested branch, here or on a server',
    examples: [
      'sluice run --repo . --issue bug.md            the first line of the file is the title',
      'sluice run --repo ../shop --issue - < bug.md  read the issue from standard input',
      'sluice run --repo . --issue bug.md --yes      approve the plan without asking',
      'sluice run --repo . --continue                continue an interrupted issue, or retry a failed one',
      'sluice run --repo acme/shop --issue bug.md --server\n                                                on the server that you are logged in to',
      "sluice run --repo . --issue bug.md --setup-network --test 'npm run unit'\n                                                install dependencies, and use another test command",
    ],
    notes: SETTINGS,
  })
    .option('-R, --repo <path-or-url>', 'git repository: a folder, an https:// URL, or owner/name on a server', '.')
    .option('--server', 'work on the server of SLUICE_URL, or of the last login, instead of here')
    .option('--url <url>', 'work on this server instead of here')
    .addOption(new Option('--embedded', 'the default').hideHelp())
    .option('--issue <file>', 'file with the issue, or - for standard input')
    .option('-t, --title <title>', 'title of the issue (default: the first line of the file)')
    .option('--base <branch>', "branch to start from (default: the repository's default branch)")
    .option('--setup <command>', 'setup command (default: detected from the lockfile)')
    .option('--setup-network', 'let the setup command access the package registries')
    .option('--test <command>', 'test command (default: detected from the files)')
    .option(...SET_OPTION)
    .option('--continue', "continue the repository's active issue, or retry its failed one, instead of a new issue")
    .option('--no-wait', 'exit with code 9 when the plan is waiting for approval')
    .option('-y, --yes', 'approve the plan without asking')
    .option('-v, --verbose', 'print the whole output of every command')
    .option('--json', 'print the issue as JSON when it has ended');
  withConfiguration(command).action(async (options: RunOptions) => {
    if ((options.issue === undefined) === (options.continue === undefined)) {
      throw new CommandError(exitCode.usage, 'Pass either --issue FILE or --continue.');
    }
    refuseMixedPlaces(options);
    const { runOnRepo } = await import('./run-on-repo.ts');
    finish(await runOnRepo({ ...options, yes: options.yes === true }));
  });
}

/** @throws CommandError when the options say both "here" and "on a server" */
function refuseMixedPlaces(options: RunOptions): void {
  const place = options.url !== undefined ? '--url' : options.server === true ? '--server' : null;
  if (place === null) return;
  if (options.embedded === true)
    throw new CommandError(exitCode.usage, `Pass either ${place} or --embedded, not both.`);
  const [flag] = configurationFlags(options).trim().split(' ', 1);
  if (flag === undefined || flag === '') return;
  throw new CommandError(
    exitCode.usage,
    `${flag} is for work on this machine, and ${place} works on a server, which has its own configuration.`,
  );
}
