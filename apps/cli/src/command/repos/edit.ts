import type { SluiceClient } from '@sluice/client';
import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { ownCommand } from '../../terminal/environment.ts';
import { CommandError, exitCode, type Finish } from '../../terminal/exit-code.ts';
import { OPTIONAL_REPO_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';
import { SET_OPTION, SETTINGS, settingsOf } from '../repo-settings.ts';

type Changes = Omit<Parameters<SluiceClient['repos']['update']['mutate']>[0], 'id'>;

interface EditOptions extends RemoteOptions {
  readonly name?: string;
  readonly base?: string;
  readonly setup?: string;
  readonly test?: string;
  readonly instructions?: string;
  readonly set?: string[];
  readonly unset?: string[];
  readonly tokenStdin?: true;
}

/** The fields that `--unset` takes, as the API calls them. */
const unsettable = {
  setup: 'setup_command',
  test: 'test_command',
  instructions: 'instructions',
  token: 'access_token',
} as const satisfies Record<string, keyof Changes>;

export function addReposEditCommand(repos: Command, finish: Finish): void {
  remoteCommand(repos, 'edit', {
    description: 'change how a repository is set up, tested and worked on',
    examples: [
      "sluice repos edit --test 'npm run unit'             of the current folder's repository",
      'sluice repos edit acme/shop --base develop --set setup_network=true',
      'sluice repos edit acme/shop --unset setup           detect the setup command again',
      'sluice repos edit acme/shop --instructions - < notes.md',
    ],
    notes: SETTINGS,
  })
    .argument(...OPTIONAL_REPO_ARGUMENT)
    .option('--name <name>', 'name in lists')
    .option('--base <branch>', 'branch that issues start from')
    .option('--setup <command>', 'setup command')
    .option('--test <command>', 'test command')
    .option('--instructions <text>', 'instructions for the agents, or - for standard input')
    .option(...SET_OPTION)
    .option('--unset <field...>', `one of ${Object.keys(unsettable).join(', ')}: back to the default`)
    .option('--token-stdin', 'read an access token for the repository from standard input')
    .action(async (given: string | undefined, options: EditOptions) => {
      const changes = await changesOf(options);
      const { chosenRepo } = await import('../../local/current-repo.ts');
      const { renderRepo } = await import('../../render/render-repos.ts');
      await withRemote(options, async ({ client, output }) => {
        const repo = await client.repos.update.mutate({ id: await chosenRepo(client, given), ...changes });
        output.data(repo, (style) => renderRepo(repo, style));
      });
      finish(exitCode.done);
    });
}

async function changesOf(options: EditOptions): Promise<Changes> {
  const { name, base, setup, test, instructions, tokenStdin } = options;
  if (tokenStdin === true && instructions === '-') {
    throw new CommandError(
      exitCode.usage,
      '--token-stdin and --instructions - both read standard input: pass one of them.',
    );
  }
  const { givenText } = await import('../../terminal/given-text.ts');
  const settings = settingsOf(options.set);
  const changes: Changes = {
    ...Object.fromEntries((options.unset ?? []).map((field) => [unsettableField(field), null])),
    ...(name === undefined ? {} : { name }),
    ...(base === undefined ? {} : { default_branch: base }),
    ...(setup === undefined ? {} : { setup_command: setup }),
    ...(test === undefined ? {} : { test_command: test }),
    ...(instructions === undefined ? {} : { instructions: await givenText(instructions) }),
    ...(tokenStdin === undefined ? {} : { access_token: await givenText('-') }),
    ...(settings === null ? {} : { settings }),
  };
  if (Object.keys(changes).length > 0) return changes;
  throw new CommandError(
    exitCode.usage,
    `Nothing to change was given. The options are listed by: ${ownCommand()} repos edit --help`,
  );
}

function unsettableField(field: string): string {
  if (Object.hasOwn(unsettable, field)) return unsettable[field as keyof typeof unsettable];
  throw new CommandError(exitCode.usage, `--unset ${field}: it must be one of ${Object.keys(unsettable).join(', ')}.`);
}
