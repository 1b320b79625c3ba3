import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode } from '../../terminal/exit-code.ts';
import { type Finish, remoteCommand, withRemote } from '../remote-command.ts';

interface AddOptions extends RemoteOptions {
  readonly branch?: string;
  readonly setup?: string;
  readonly setupNetwork?: true;
  readonly test?: string;
  readonly tokenStdin?: true;
}

export function addReposAddCommand(repos: Command, finish: Finish): void {
  remoteCommand(repos, 'add', {
    description: 'register a repository',
    examples: [
      'sluice repos add acme/shop                        at the code host, with your linked account',
      'sluice repos add https://git.example.com/shop.git',
      'sluice repos add ./shop                           a folder, where the server runs on this machine',
      "sluice repos add acme/shop --setup-network --test 'npm run unit'",
    ],
  })
    .argument('<repository>', 'owner/name at the code host, else a URL or a folder')
    .option('--branch <branch>', 'the branch to start from; default: the repository’s own')
    .option('--setup <command>', 'installs what the repository needs; default: found by its lockfile')
    .option('--setup-network', 'let the setup command reach the package registries')
    .option('--test <command>', 'tests the repository; default: found by its files')
    .option('--token-stdin', 'read an access token for the repository from standard input')
    .action(async (given: string, options: AddOptions) => {
      const { repoAt } = await import('../../local/repo-at.ts');
      const { renderRepo } = await import('../../render/render-repos.ts');
      const at = await repoAt(given);
      const token = options.tokenStdin === true ? await tokenFromStdin() : null;
      await withRemote(options, async ({ client, output }) => {
        const { branch, setup, test, setupNetwork } = options;
        const repo = await client.repos.create.mutate({
          ...at,
          ...(token === null ? {} : { access_token: token }),
          ...(branch === undefined ? {} : { default_branch: branch }),
          ...(setup === undefined ? {} : { setup_command: setup }),
          ...(test === undefined ? {} : { test_command: test }),
          ...(setupNetwork === undefined ? {} : { settings: { setup_network: true } }),
        });
        output.data(repo, (style) => renderRepo(repo, style));
      });
      finish(exitCode.done);
    });
}

async function tokenFromStdin(): Promise<string> {
  const { text } = await import('node:stream/consumers');
  return (await text(process.stdin)).trim();
}
