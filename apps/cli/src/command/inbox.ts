import type { Command } from 'commander';
import type { RemoteOptions } from '../session/remote.ts';
import { exitCode, type Finish } from '../terminal/exit-code.ts';
import { REPO_OPTION, remoteCommand, withRemote } from './remote-command.ts';

interface InboxOptions extends RemoteOptions {
  readonly repo?: string;
  readonly search?: string;
}

export function addInboxCommand(program: Command, finish: Finish): void {
  remoteCommand(program, 'inbox', {
    description: 'show your issues: what needs you first, then what runs, waits, and is done',
    examples: [
      'sluice inbox',
      'sluice inbox -R acme/shop --search discount',
      'sluice inbox --jq ".needs_you.items[].id"',
    ],
    notes: 'Each list shows its first issues; "sluice issues list" lists all.\n',
  })
    .option(...REPO_OPTION)
    .option('--search <words>', 'only issues with these words in the title')
    .action(async (options: InboxOptions) => {
      const { chosenRepo } = await import('../local/current-repo.ts');
      const { renderInbox } = await import('../render/render-inbox.ts');
      const { repo, search } = options;
      await withRemote(options, async ({ client, output }) => {
        const inbox = await client.issues.inbox.query({
          ...(repo === undefined ? {} : { repo_id: await chosenRepo(client, repo) }),
          ...(search === undefined ? {} : { q: search }),
        });
        await output.longData(inbox, (style, page) => renderInbox(inbox, { style, page }));
      });
      finish(exitCode.done);
    });
}
