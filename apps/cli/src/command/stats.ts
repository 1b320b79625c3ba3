import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RemoteOptions } from '../session/remote.ts';
import { CommandError, exitCode, type Finish } from '../terminal/exit-code.ts';
import { REPO_ARGUMENT, remoteCommand, withRemote } from './remote-command.ts';

interface StatsOptions extends RemoteOptions {
  readonly repo?: string;
  readonly since?: Date;
  readonly by?: keyof typeof groupings;
  readonly csv?: true;
}

const groupings = { repo: 'repo', model: 'model', prompts: 'prompt_revision' } as const;

export function addStatsCommand(program: Command, finish: Finish): void {
  remoteCommand(program, 'stats', {
    description: 'show what became of your pull requests: merged, closed, how fast, at what cost',
    examples: [
      'sluice stats',
      'sluice stats --since all',
      'sluice stats --since 30d --by model',
      'sluice stats -R acme/shop --since 2026-11-01 --csv > outcomes.csv',
    ],
    notes:
      'Counted are the pull requests that were opened in the period, by default in the last 90 days. docs/outcomes.md says what each number means.\n',
  })
    .option('-R, --repo <repository>', `only of this one: ${REPO_ARGUMENT[1]}`)
    .option('--since <time>', 'opened since a day (2026-11-01), for as long (30d, 12w), or all', moment)
    .addOption(new Option('--by <group>', 'compare').choices(Object.keys(groupings)))
    .option('--csv', 'print CSV, for spreadsheets')
    .action(async (options: StatsOptions) => {
      const { repo, since, by, csv } = options;
      if (csv === true && options.json === true) {
        throw new CommandError(exitCode.usage, 'Pass either --csv or --json, not both.');
      }
      const { chosenRepo } = await import('../local/current-repo.ts');
      const { renderOutcomes } = await import('../render/render-outcomes.ts');
      const { outcomesCsv } = await import('@sluice/core/outcome');
      await withRemote(options, async ({ client, output }) => {
        const outcomes = await client.outcomes.read.query({
          ...(repo === undefined ? {} : { repo_id: await chosenRepo(client, repo) }),
          ...(since === undefined ? {} : { from: since.toISOString() }),
          ...(by === undefined ? {} : { group_by: groupings[by] }),
        });
        if (csv === true) process.stdout.write(outcomesCsv(outcomes));
        else await output.longData(outcomes, (style, page) => renderOutcomes(outcomes, { style, page }));
      });
      finish(exitCode.done);
    });
}

const UNIT_MS = { d: 86_400_000, w: 7 * 86_400_000 } as const;

/** A day in the user's time zone, a time ago, or the beginning of time. */
function moment(text: string): Date {
  if (text === 'all') return new Date(0);
  const [, count, unit] = /^(\d{1,4})([dw])$/.exec(text) ?? [];
  const at =
    count === undefined
      ? new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : Number.NaN)
      : new Date(Date.now() - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]);
  if (Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('It must be a day such as 2026-11-01, a time such as 30d or 12w, or all.');
  return at;
}
