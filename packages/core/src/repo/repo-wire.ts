import * as z from 'zod';
import { type Role, roles } from '../access/role.ts';
import { type Repo, repoIndexSchema, repoProviders, repoSettingsSchema } from './repo.ts';

export const repoWire = z.object({
  id: z.uuid(),
  name: z.string(),
  url: z.string(),
  default_branch: z.string(),
  provider: z.enum(repoProviders),
  codehost_repo_id: z.string().nullable(),
  setup_command: z.string().nullable(),
  test_command: z.string().nullable(),
  instructions: z.string().nullable(),
  settings: repoSettingsSchema,
  active_issue_id: z.uuid().nullable(),
  index: repoIndexSchema.nullable(),
  role: z.enum(roles).describe('Your role in it.'),
  registered_by: z.uuid().describe('The user with whose account Sluice reaches it.'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type RepoWire = z.infer<typeof repoWire>;

/** A repository as a member sees it. @param role of the user to whom it is shown */
export function toRepoWire(repo: Repo, role: Role): RepoWire {
  return {
    id: repo.id,
    name: repo.name,
    url: repo.url,
    default_branch: repo.defaultBranch,
    provider: repo.provider,
    codehost_repo_id: repo.codehostRepoId,
    setup_command: repo.setupCommand,
    test_command: repo.testCommand,
    instructions: repo.instructions,
    settings: repo.settings,
    active_issue_id: repo.activeIssueId,
    index: repo.index,
    role,
    registered_by: repo.userId,
    created_at: repo.createdAt.toISOString(),
    updated_at: repo.updatedAt.toISOString(),
  };
}
