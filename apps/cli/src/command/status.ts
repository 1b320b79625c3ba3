import type { Command } from 'commander';
import type { RemoteOptions } from '../session/remote.ts';
import { exitCode, type Finish } from '../terminal/exit-code.ts';
import { remoteCommand, withRemote } from './remote-command.ts';

const MAX_SHOWN = 20;

const groups = [
  { name: 'waiting', title: 'Waiting for your decision', status: ['awaiting_approval'] },
  { name: 'active', title: 'Running or queued', status: ['running', 'human_review', 'pending'] },
  { name: 'failed', title: 'Failed, the latest first', status: ['failed'] },
] as const;

export function addStatusCommand(program: Command, finish: Finish): void {
  remoteCommand(program, 'status', {
    description: 'show which issues wait for you, which run and which failed, in all repositories',
    examples: ['sluice status', 'sluice status --jq ".waiting[].id"'],
    notes: `At most ${MAX_SHOWN} of each are shown; "sluice issues list" lists all.\n`,
  }).action(async (options: RemoteOptions) => {
    const { renderIssues } = await import('../render/render-issues.ts');
    const { issuePage } = await import('../session/issue-page.ts');
    const { repoNames } = await import('../session/repo-names.ts');
    await withRemote(options, async ({ client, output }) => {
      const lists = await Promise.all(
        groups.map(({ status }) => issuePage({ client, output }, { status: [...status], limit: MAX_SHOWN })),
      );
      const found = groups.map((group, at) => ({ ...group, items: lists[at]?.items ?? [] }));
      const repos = found.flatMap(({ items }) => items.map(({ repo_id }) => repo_id));
      const names = output.json ? new Map() : await repoNames(client, repos);
      output.data(Object.fromEntries(found.map(({ name, items }) => [name, items])), (style, page) =>
        found
          .map(({ title, items }) => {
            const list = items.length === 0 ? 'none' : renderIssues(items, names, { style, page });
            return `${style('bold', title)}\n${list}`;
          })
          .join('\n\n'),
      );
    });
    finish(exitCode.done);
  });
}
