import type { SluiceClient } from '@sluice/client';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { repeated } from './add-command.ts';

/** Settings of a repository, as a change of them. Templates are no single word: set them by `sluice api`. */
export type RepoSettings = Omit<
  NonNullable<Parameters<SluiceClient['repos']['update']['mutate']>[0]['settings']>,
  'issue_templates'
>;

const settings = {
  draft_change_request: 'true or false',
  allow_red_base: 'true or false',
  setup_network: 'true or false',
  test_before_gate: 'true or false',
  auto_run: 'true or false',
  requester_approves: 'true or false: whether people may approve their own issues',
  plan_approvals: '1 or 2: how many people approve a plan',
  publish_approvals: '1 or 2: how many people approve at the publish gate',
  label_trigger: 'a label, or null for none',
  follow_build: 'off, watch or fix: the build at the code host',
  follow_base: 'off, watch or merge: a base branch that moved',
  mirror_members: 'true or false: members by their permissions at the code host',
  review_bots: 'logins of bots, separated by commas, or null for none',
} as const satisfies Record<keyof RepoSettings, string>;

export const SET_OPTION = ['--set <name=value>', 'a setting, see below; can be repeated', repeated] as const;

/** The settings, for the end of a command's help. */
export const SETTINGS = `Settings:
${Object.entries(settings)
  .map(([name, values]) => `  ${name.padEnd(22)}${values}`)
  .join('\n')}
`;

/**
 * The settings as the API takes them, or null for no change. The API knows their names, and lists them when it refuses one.
 *
 * @param given the values of `--set`
 * @param setupNetwork whether `--setup-network` was given
 * @throws CommandError for a value of another form
 */
export function settingsOf(given: readonly string[] = [], setupNetwork?: true): RepoSettings | null {
  const entries = given.map((one): [string, unknown] => {
    const [, name, value = ''] = /^([a-z_]+)=(.*)$/s.exec(one) ?? [];
    if (name === undefined) throw new CommandError(exitCode.usage, `--set ${one}: it must have the form name=value.`);
    if (name === 'review_bots') return [name, loginsIn(value)];
    if (COUNTS.has(name) && /^\d+$/.test(value)) return [name, Number(value)];
    return [name, value === 'true' ? true : value === 'false' ? false : value === 'null' ? null : value];
  });
  if (setupNetwork === true) entries.unshift(['setup_network', true]);
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

const COUNTS: ReadonlySet<string> = new Set(['plan_approvals', 'publish_approvals']);

function loginsIn(value: string): string[] {
  if (value === 'null') return [];
  return value
    .split(',')
    .map((login) => login.trim())
    .filter((login) => login !== '');
}
