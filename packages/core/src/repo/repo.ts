import * as z from 'zod';
import type { EncryptedToken } from '../account/token-cipher.ts';
import type { IssueId, RepoId, UserId } from '../id/id.ts';

export const issueTemplateBounds = {
  templates: 10,
  nameCharacters: 100,
  titleCharacters: 200,
  bodyBytes: 8_192,
} as const;

/** What a new issue begins with. */
export const issueTemplateSchema = z.strictObject({
  name: z.string().describe('Another one for each template of the repository.'),
  title: z.string(),
  body: z.string(),
});

export const reviewBotBounds = { bots: 20, loginCharacters: 100 } as const;

export const MAX_APPROVALS = 2;
const approvals = z.int().min(1).max(MAX_APPROVALS).default(1);

export const repoSettingsSchema = z.strictObject({
  draft_change_request: z.boolean().default(true),
  allow_red_base: z.boolean().default(false),
  setup_network: z.boolean().default(false),
  test_before_gate: z
    .boolean()
    .default(true)
    .describe(
      'Whether the tests run at the base commit before a plan is made, so that a test command that cannot run ends the issue there. `false`: after the approval.',
    ),
  label_trigger: z.string().max(100).nullable().default(null),
  auto_run: z.boolean().default(false),
  requester_approves: z
    .boolean()
    .default(true)
    .describe(
      'Whether the user who created an issue may approve its plan and its publication. `false`: somebody else has to.',
    ),
  plan_approvals: approvals.describe('How many different people have to approve a plan.'),
  publish_approvals: approvals.describe(
    'How many different people have to approve a change that waits at the publish gate.',
  ),
  follow_build: z
    .enum(['off', 'watch', 'fix'])
    .default('watch')
    .describe(
      'The build at the code host of an open pull request: `off`: not looked at; `watch`: its verdict is shown; `fix`: a failure is also given to the coder, at most CI_ROUNDS times, within the files of the approved plan without a new approval.',
    ),
  follow_base: z
    .enum(['off', 'watch', 'merge'])
    .default('watch')
    .describe(
      'The base branch of an open pull request: `off`: not looked at; `watch`: the issue says when it has moved; `merge`: it is also merged into the branch and tested, within the files of the approved plan without a new approval.',
    ),
  mirror_members: z
    .boolean()
    .default(false)
    .describe(
      'Whether those who have access to the repository at the code host are its members here, as soon as they have linked their account: read as `viewer`, write as `approver`, admin as `admin`.',
    ),
  review_bots: z
    .array(z.string())
    .max(reviewBotBounds.bots)
    .default([])
    .describe('Logins of bots at the code host whose reviews are carried out like those of people who may write.'),
  issue_templates: z
    .array(issueTemplateSchema)
    .max(issueTemplateBounds.templates)
    .default([])
    .describe('What new issues may begin with. A change replaces them all.'),
});
export type RepoSettings = z.infer<typeof repoSettingsSchema>;

/** The state of a repository's code index. */
export const repoIndexSchema = z.object({
  commit: z.string(),
  files: z.int(),
  chunks: z.int(),
  updated_at: z.iso.datetime(),
});
export type RepoIndex = z.infer<typeof repoIndexSchema>;

export const repoProviders = ['codehost', 'git'] as const;

/** A registered repository. */
export interface Repo {
  readonly id: RepoId;
  readonly userId: UserId;
  readonly name: string;
  readonly url: string;
  /** The remote in canonical form. One pipeline per remote may run, across all users. */
  readonly canonicalRemote: string;
  readonly defaultBranch: string;
  readonly provider: (typeof repoProviders)[number];
  readonly codehostRepoId: string | null;
  readonly setupCommand: string | null;
  readonly testCommand: string | null;
  readonly instructions: string | null;
  readonly settings: RepoSettings;
  readonly accessToken: EncryptedToken | null;
  readonly activeIssueId: IssueId | null;
  readonly index: RepoIndex | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type NewRepo = Omit<Repo, 'activeIssueId' | 'index' | 'createdAt' | 'updatedAt'>;

/** A change of a registered repository. */
export interface RepoPatch {
  readonly name?: string | undefined;
  readonly defaultBranch?: string | undefined;
  readonly setupCommand?: string | null | undefined;
  readonly testCommand?: string | null | undefined;
  readonly instructions?: string | null | undefined;
  /** The settings to change. */
  readonly settings?: RepoSettingsPatch | undefined;
  readonly accessToken?: EncryptedToken | null | undefined;
}

export type RepoSettingsPatch = { readonly [K in keyof RepoSettings]?: RepoSettings[K] | undefined };
