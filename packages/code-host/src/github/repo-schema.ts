import type { HostedName, HostedRepo } from '@sluice/core/code-host';
import { z } from 'zod';
import type { HostAddress } from '../client/host-address.ts';
import { hostDate, hostId } from './wire-values.ts';

export const repoSchema = z.object({
  id: hostId,
  full_name: z
    .string()
    .regex(/^[\w.-]+\/[\w.-]+$/)
    .transform((name) => name as HostedName),
  private: z.boolean(),
  description: z.string().nullish(),
  default_branch: z.string().min(1),
  pushed_at: hostDate.nullish(),
  permissions: z.object({ push: z.boolean().optional() }).optional(),
});

/** The URL is built from the configured one and the name: git sends the token there, so it must not come from a response. */
export function hostedRepo({ web }: HostAddress, repo: z.output<typeof repoSchema>): HostedRepo {
  return {
    id: repo.id,
    fullName: repo.full_name,
    private: repo.private,
    description: repo.description ?? null,
    defaultBranch: repo.default_branch,
    url: `${web}/${repo.full_name}`,
    pushedAt: repo.pushed_at ?? null,
  };
}
