import type { RepoSettings } from '@sluice/core';
import type { StoredForm } from './kit.ts';

/** The settings of a repository as the column `repos.settings` holds them. Older releases left out what they did not know. */
export type SettingsDocument = Omit<RepoSettings, 'test_before_gate' | 'issue_templates'> & {
  readonly test_before_gate?: false;
  readonly issue_templates?: RepoSettings['issue_templates'];
};

export const settingsForm: StoredForm<RepoSettings, SettingsDocument> = {
  // Only what is not the default: the release before refuses to show a repository whose settings have a member that it does not
  // know.
  toStored: ({ test_before_gate, issue_templates, ...settings }) => ({
    ...settings,
    ...(!test_before_gate && { test_before_gate }),
    ...(issue_templates.length > 0 && { issue_templates }),
  }),
  fromStored: ({ test_before_gate = true, issue_templates = [], ...stored }) => ({
    ...stored,
    test_before_gate,
    issue_templates,
  }),
};
