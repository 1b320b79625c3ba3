import { AppError } from '@sluice/core/error';
import { z } from 'zod';
import { firstPages } from '../client/first-pages.ts';
import type { RepoName } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import { type Branch, readBranch } from './read-branch.ts';
import { anyApp } from './wire-values.ts';

/** What a branch requires of a commit before it is merged. */
export interface RequiredChecks {
  /** Names of checks or statuses; of any app where `app` is null. */
  readonly checks: readonly { readonly context: string; readonly app: string | null }[];
  /** Paths of workflows. */
  readonly workflows: readonly string[];
}

const PAGES = 2; // two hundred rules; a branch has some ten

const statusRule = z
  .object({
    type: z.literal('required_status_checks'),
    parameters: z.object({
      required_status_checks: z.array(z.object({ context: z.string(), integration_id: anyApp })),
    }),
  })
  .transform(({ parameters }): RequiredChecks => {
    const checks = parameters.required_status_checks.map(({ context, integration_id: app }) => ({ context, app }));
    return { checks, workflows: [] };
  });
const workflowRule = z
  .object({
    type: z.literal('workflows'),
    parameters: z.object({ workflows: z.array(z.object({ path: z.string() })) }),
  })
  .transform(
    ({ parameters }): RequiredChecks => ({ checks: [], workflows: parameters.workflows.map(({ path }) => path) }),
  );
const otherRule = z.object({ type: z.string() }).transform((): RequiredChecks => ({ checks: [], workflows: [] }));
const rules: z.ZodType<RequiredChecks[]> = z.array(z.union([statusRule, workflowRule, otherRule]));

/**
 * What the rules and the protection of a branch require, as far as an account without administration may read it: the rules
 * that apply, and the summary of the protection that comes with the branch. Null when the host tells neither.
 */
export async function readRequiredChecks(
  host: HostSession,
  repo: RepoName,
  branch: string,
): Promise<RequiredChecks | null> {
  const parameters = { ...repo, branch };
  const route = 'GET /repos/{owner}/{repo}/rules/branches/{branch}';
  const ruled = await ifTold(async () => (await firstPages(host, { route, parameters, pages: PAGES }, rules)).items);
  const found = await ifTold(() => readBranch(host, repo, branch));
  if (ruled === null && found === null) return null;
  return {
    checks: [...(ruled ?? []).flatMap(({ checks }) => checks), ...protectedBy(found)],
    workflows: (ruled ?? []).flatMap(({ workflows }) => workflows),
  };
}

function protectedBy(branch: Branch | null): RequiredChecks['checks'] {
  const { enabled = true, required_status_checks: required } = branch?.protection ?? {};
  if (!enabled || required == null) return [];
  // `checks` has the same names, with their apps. Older hosts do not give it.
  const { contexts, checks } = required;
  if (checks != null) return checks.map(({ context, app_id: app }) => ({ context, app }));
  return contexts.map((context) => ({ context, app: null }));
}

/** Older hosts have no rules, and in some pricing plans those of a private repository cannot be read. */
async function ifTold<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError && isUntold.has(error.code)) return null;
    throw error;
  }
}

const isUntold: ReadonlySet<string> = new Set(['codehost_forbidden', 'codehost_not_found']);
