import type { HostedRepo } from '@sluice/core';
import { z } from 'zod';
import type { HostAddress } from './host-address.ts';
import { hostDate, hostId } from './wire-values.ts';

export const repoShape = z.object({
  id: hostId,
  full_name: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  private: z.boolean(),
  description: z.string().nullish(),
  default_branch: z.string().min(1),
  pushed_at: hostDate.nullish(),
  permissions: z.object({ push: z.boolean().optional() }).optional(),
});

/** Its address is made of the configured one and its name: git sends the token there, so no answer may name it. */
export function hostedRepo({ web }: HostAddress, repo: z.output<typeof repoShape>): HostedRepo {
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
