import * as z from 'zod';

const theme = z.enum(['system', 'light', 'dark']);
const diff = z.enum(['split', 'unified']);

/** How a user likes the console. It is nobody else's business, so it is not part of the profile. */
export const preferencesSchema = z.object({
  theme: theme.describe('`system`: as the browser says.'),
  diff: diff.describe('How a diff is shown where there is room for both.'),
  notifications: z.boolean().describe('Whether the browser tells when a decision is wanted.'),
  shortcuts: z.boolean().describe('Whether single keys are shortcuts.'),
});
export type Preferences = z.infer<typeof preferencesSchema>;

/** Absent members stay as they are. */
export type PreferencesChange = { readonly [Name in keyof Preferences]?: Preferences[Name] | undefined };

const stored = z.object({
  theme: theme.catch('system'),
  diff: diff.catch('split'),
  notifications: z.boolean().catch(false),
  shortcuts: z.boolean().catch(true),
});

/** With the default of each member that was never set, or whose value another release has written. */
export function toPreferences(document: unknown): Preferences {
  return stored.parse(document ?? {});
}
