import type { RepoSettings } from '@sluice/core';
import type { StoredForm } from './kit.ts';

/** The settings of a repository as the column `repos.settings` holds them. Older releases left out what they did not know. */
export type SettingsDocument = Omit<RepoSettings, 'test_before_gate'> & { readonly test_before_gate?: false };

export const settingsForm: StoredForm<RepoSettings, SettingsDocument> = {
  // Only where it is off: the release before refuses to show a repository whose settings have a member that it does not know.
  toStored: ({ test_before_gate, ...settings }) => (test_before_gate ? settings : { ...settings, test_before_gate }),
  fromStored: ({ test_before_gate = true, ...stored }) => ({ ...stored, test_before_gate }),
};
