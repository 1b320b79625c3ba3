import { AppError } from '@sluice/core/error';
import { z } from 'zod';
import type { RepoName } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import { anyApp } from './wire-values.ts';

const branchSchema = z.object({
  commit: z.object({ sha: z.string().min(1) }),
  /** A summary, which an account without administration may read too. */
  protection: z
    .object({
      enabled: z.boolean().optional(),
      required_status_checks: z
        .object({
          contexts: z.array(z.string()).default([]),
          checks: z.array(z.object({ context: z.string(), app_id: anyApp })).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});
export type Branch = z.output<typeof branchSchema>;

/** Null when there is no such branch. */
export async function readBranch(host: HostSession, repo: RepoName, branch: string): Promise<Branch | null> {
  const route = 'GET /repos/{owner}/{repo}/branches/{branch}';
  try {
    return (await host.send({ route, parameters: { ...repo, branch }, schema: branchSchema })).data;
  } catch (error) {
    if (error instanceof AppError && error.code === 'codehost_not_found') return null;
    throw error;
  }
}
