import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { addCommand } from '../add-command.ts';
import { OPTIONAL_REPO_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';
import { addReposAddCommand } from './add.ts';
import { addReposEditCommand } from './edit.ts';
import { addReposListCommand } from './list.ts';
import { addReposRemoveCommand } from './remove.ts';
import { addReposSearchCommand } from './search.ts';

export function addReposCommands(program: Command, finish: Finish): void {
  const repos = addCommand(program, 'repos', {
    description: 'manage the repositories that are registered with a server',
    examples: ['sluice repos add acme/shop', 'sluice repos list', 'sluice repos add --help'],
  });
  addReposAddCommand(repos, finish);
  addReposListCommand(repos, finish);
  addReposShowCommand(repos, finish);
  addReposEditCommand(repos, finish);
  addReposRemoveCommand(repos, finish);
  addReposSearchCommand(repos, finish);
}

function addReposShowCommand(repos: Command, finish: Finish): void {
  remoteCommand(repos, 'show', {
    description: 'show a repository',
    examples: [
      'sluice repos show                 the repository of the current folder',
      'sluice repos show acme/shop',
      'sluice repos show 1f0c2d3e --jq .default_branch',
    ],
  })
    .argument(...OPTIONAL_REPO_ARGUMENT)
    .option('-w, --web', 'open its page in a browser')
    .action(async (given: string | undefined, options: RemoteOptions & { web?: true }) => {
      const { openPage } = await import('../../terminal/open-page.ts');
      const { chosenRepo } = await import('../../local/current-repo.ts');
      const { renderRepo } = await import('../../render/render-repos.ts');
      await withRemote(options, async ({ client, output }) => {
        const repo = await client.repos.get.query({ id: await chosenRepo(client, given) });
        if (options.web === true) return openPage(output, repo.url, 'The repository is a folder of the server.');
        output.data(repo, (style) => renderRepo(repo, style));
      });
      finish(exitCode.done);
    });
}
