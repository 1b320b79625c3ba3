import { basename } from 'node:path';
import type { Command } from 'commander';
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
      const { renderIssues } = await import('../../render/render-issues.ts');
      const { ownCommand } = await import('../../terminal/environment.ts');
      const { createOutput } = await import('../../terminal/output.ts');
      const output = createOutput(options);
      const reportUnreadable = unreadableReporter(output);
      let isWhole = true;
      const folders = await localIssues((dataDir, error) => {
        isWhole = false;
        reportUnreadable(dataDir, error);
      });
      const urls = new Map(folders.flatMap(({ repos }) => repos.map(({ id, url }) => [id, url])));
      const items = folders
        .flatMap(({ issues }) => issues.map((issue) => ({ ...issue, repo_url: urls.get(issue.repo_id) ?? null })))
        .toSorted((a, b) => b.created_at.localeCompare(a.created_at));
      const names = new Map([...urls].map(([id, url]) => [id, basename(url)]));
      const [own, none] = [ownCommand(), 'No issue was run on this machine.'];
      const hint = `${none} Start one with: ${own} run --repo PATH --issue FILE\nIssues on a server: ${own} issues list`;
      await output.longData({ items, next_cursor: null }, (style, page) =>
        items.length === 0 && page.isTerminal && isWhole ? hint : renderIssues(items, names, { style, page }),
      );
      finish(isWhole ? exitCode.done : exitCode.unexpected);
    });
}
