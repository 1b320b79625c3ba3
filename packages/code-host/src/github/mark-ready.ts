import { z } from 'zod';
import { askGraph } from '../client/graph-request.ts';
import { repoName, subjectNumber } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import { detailedChangeRequestSchema } from './change-request-schema.ts';

export const readyDocument = `mutation ($pull: ID!) {
  markPullRequestReadyForReview(input: { pullRequestId: $pull }) { pullRequest { isDraft } }
}`;

export async function markReady(host: HostSession, fullName: string, number: number): Promise<void> {
  const { data } = await host.send({
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    parameters: { ...repoName(fullName), pull_number: subjectNumber(number) },
    schema: detailedChangeRequestSchema,
  });
  if (data.state !== 'open' || data.draft !== true) return;
  await askGraph(host, {
    ...{ document: readyDocument, variables: { pull: data.node_id }, writes: true },
    schema: z.object({
      markPullRequestReadyForReview: z.object({ pullRequest: z.object({ isDraft: z.literal(false) }) }),
    }),
  });
}
