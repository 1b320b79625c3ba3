import type { Command } from 'commander';
import type { LocalIssueRow } from '../../render/render-local-issues.ts';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import type { OutputOptions } from '../../terminal/output.ts';
import { addCommand } from '../add-command.ts';
import { unreadableReporter } from './local-command.ts';

export function addLocalListCommand(program: Command, finish: Finish): void {
  addCommand(program, 'list', {
    description: 'list the issues of `sluice run` on this machine, newest first',
    examples: ['sluice list', 'sluice list --json | jq -r .items[0].id'],
    notes: 'Issues on a server: sluice issues list',
  })
    .option('--json', 'print the issues as JSON')
    .action(async (options: OutputOptions) => {
      const { localIssues } = await import('../../local/find-local-issue.ts');
      const { renderLocalIssues } = await import('../../render/render-local-issues.ts');
      const { createOutput } = await import('../../terminal/output.ts');
      const output = createOutput(options);
      const folders = await localIssues(unreadableReporter(output));
      const items: LocalIssueRow[] = folders.flatMap(({ issues, repos }) => {
        const urls = new Map(repos.map(({ id, url }) => [id, url]));
        return issues.map((issue) => ({ ...issue, repo_url: urls.get(issue.repo_id) ?? null }));
      });
      items.sort((a, b) => b.created_at.localeCompare(a.created_at));
      await output.longData({ items, next_cursor: null }, (style, page) => renderLocalIssues(items, { style, page }));
      finish(exitCode.done);
    });
}
