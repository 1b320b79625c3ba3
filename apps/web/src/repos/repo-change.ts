import type { Repo } from '@sluice/client';
import type { client } from '../session/client.ts';

export type RepoChange = Parameters<typeof client.repos.update.mutate>[0];
type Settings = Repo['settings'];
/** The settings that are on or off. */
export type RepoSwitch = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];

const requiredTexts = ['name', 'default_branch'] as const;
const optionalTexts = ['setup_command', 'test_command', 'instructions'] as const;
export const repoSwitches = [
  'requester_approves',
  'test_before_gate',
  'allow_red_base',
  'setup_network',
  'draft_change_request',
  'auto_run',
  'mirror_members',
] as const satisfies readonly RepoSwitch[];

/** The settings with a few values, each with what its values mean. */
export const repoChoices = ['follow_build', 'follow_base'] as const satisfies readonly (keyof Settings)[];
type RepoChoice = (typeof repoChoices)[number];

/** How many people have to approve at each gate: as the texts of a choice. */
export const approvalCounts = ['plan_approvals', 'publish_approvals'] as const;
type ApprovalCount = (typeof approvalCounts)[number];

type RepoText = (typeof requiredTexts)[number] | (typeof optionalTexts)[number] | 'label_trigger' | 'review_bots';

/** The texts, choices and switches of a repository as its form holds them: nothing set is the empty text. */
export type RepoForm = Readonly<
  Record<RepoText | ApprovalCount, string> & { [K in RepoChoice]: Settings[K] } & Record<RepoSwitch, boolean>
>;

export function repoForm({ settings, ...repo }: Repo): RepoForm {
  return {
    name: repo.name,
    default_branch: repo.default_branch,
    setup_command: repo.setup_command ?? '',
    test_command: repo.test_command ?? '',
    instructions: repo.instructions ?? '',
    label_trigger: settings.label_trigger ?? '',
    review_bots: settings.review_bots.join(', '),
    follow_build: settings.follow_build,
    follow_base: settings.follow_base,
    plan_approvals: String(settings.plan_approvals),
    publish_approvals: String(settings.publish_approvals),
    requester_approves: settings.requester_approves,
    test_before_gate: settings.test_before_gate,
    allow_red_base: settings.allow_red_base,
    setup_network: settings.setup_network,
    draft_change_request: settings.draft_change_request,
    auto_run: settings.auto_run,
    mirror_members: settings.mirror_members,
  };
}

/**
 * The change that the edits of a form make: only members that differ from the repository as it is now, so that what somebody
 * else changed meanwhile stays. Null where nothing differs.
 */
export function repoChange(repo: Repo, edits: Partial<RepoForm>): RepoChange | null {
  const stored = repoForm(repo);
  const differs = <K extends keyof RepoForm>(name: K) => edits[name] !== undefined && edits[name] !== stored[name];
  const settings = Object.fromEntries([
    ...[...repoSwitches, ...repoChoices].filter(differs).map((name) => [name, edits[name]]),
    ...approvalCounts.filter(differs).map((name) => [name, Number(edits[name])]),
    ...(differs('review_bots') ? [['review_bots', namesIn(edits.review_bots)]] : []),
    ...(differs('label_trigger') ? [['label_trigger', emptyAsNull(edits.label_trigger)]] : []),
  ]);
  const change = Object.fromEntries([
    ...requiredTexts.filter(differs).map((name) => [name, edits[name]]),
    ...optionalTexts.filter(differs).map((name) => [name, emptyAsNull(edits[name])]),
    ...(Object.keys(settings).length > 0 ? [['settings', settings]] : []),
  ]);
  return Object.keys(change).length === 0 ? null : { id: repo.id, ...change };
}

/** The edits made since the last save was sent, so that text typed during a save is kept. */
export function editsSince(sent: Partial<RepoForm>, now: Partial<RepoForm>): Partial<RepoForm> {
  return Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== sent[name as keyof RepoForm]));
}

function emptyAsNull(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text;
}

function namesIn(text = ''): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
