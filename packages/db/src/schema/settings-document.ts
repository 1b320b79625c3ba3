import { type RepoSettings, repoSettingsSchema } from '@sluice/core/repo';
import type { StoredForm } from './kit.ts';

type Later =
  | 'test_before_gate'
  | 'issue_templates'
  | 'follow_build'
  | 'follow_base'
  | 'review_bots'
  | 'mirror_members'
  | 'requester_approves'
  | 'plan_approvals'
  | 'publish_approvals';

/** The settings of a repository as the column `repos.settings` holds them. Older releases left out what they did not know. */
export type SettingsDocument = Omit<RepoSettings, Later> & Partial<Pick<RepoSettings, Later>>;

const { shape } = repoSettingsSchema;

export const settingsForm: StoredForm<RepoSettings, SettingsDocument> = {
  // Only what is not the default: the release before refuses to show a repository whose settings have a member that it does not
  // know.
  toStored: ({
    test_before_gate,
    issue_templates,
    follow_build,
    follow_base,
    review_bots,
    mirror_members,
    requester_approves,
    plan_approvals,
    publish_approvals,
    ...settings
  }) => ({
    ...settings,
    ...(!test_before_gate && { test_before_gate }),
    ...(issue_templates.length > 0 && { issue_templates }),
    ...(follow_build !== shape.follow_build.parse(undefined) && { follow_build }),
    ...(follow_base !== shape.follow_base.parse(undefined) && { follow_base }),
    ...(review_bots.length > 0 && { review_bots }),
    ...(mirror_members && { mirror_members }),
    ...(!requester_approves && { requester_approves }),
    ...(plan_approvals > 1 && { plan_approvals }),
    ...(publish_approvals > 1 && { publish_approvals }),
  }),
  fromStored: ({
    test_before_gate = true,
    issue_templates = [],
    follow_build = shape.follow_build.parse(undefined),
    follow_base = shape.follow_base.parse(undefined),
    review_bots = [],
    mirror_members = false,
    requester_approves = true,
    plan_approvals = 1,
    publish_approvals = 1,
    ...stored
  }) => ({
    ...stored,
    ...{ test_before_gate, issue_templates, follow_build, follow_base, review_bots, mirror_members },
    ...{ requester_approves, plan_approvals, publish_approvals },
  }),
};
