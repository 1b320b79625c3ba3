import type { ReviewThread } from '@sluice/core/code-host';
import { z } from 'zod';
import { askGraph } from '../client/graph-request.ts';
import { repoName, subjectNumber } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';

const PAGES = 10; // five hundred threads

export const threadsDocument = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      reviewThreads(first: 50, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id isResolved comments(first: 100) { nodes { fullDatabaseId } } }
      }
    }
  }
}`;

/** A 64-bit number, which the host writes as a string. */
const commentId = z.union([z.string().regex(/^\d+$/), z.number().int().positive()]).transform(String);
const threadSchema = z
  .object({
    id: z.string().min(1),
    isResolved: z.boolean(),
    comments: z.object({ nodes: z.array(z.object({ fullDatabaseId: commentId })) }),
  })
  .transform(
    ({ id, isResolved, comments }): ReviewThread => ({
      id,
      resolved: isResolved,
      comments: comments.nodes.map(({ fullDatabaseId }) => `line-${fullDatabaseId}`),
    }),
  );
const threadsSchema = z.object({
  repository: z.object({
    pullRequest: z.object({
      reviewThreads: z.object({
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
        nodes: z.array(threadSchema),
      }),
    }),
  }),
});

export async function readThreads(
  host: HostSession,
  fullName: string,
  number: number,
): Promise<readonly ReviewThread[]> {
  const variables = { ...repoName(fullName), number: subjectNumber(number) };
  const threads: ReviewThread[] = [];
  let after: string | null = null;
  for (let page = 1; page <= PAGES; page += 1) {
    const answer: z.output<typeof threadsSchema> = await askGraph(host, {
      document: threadsDocument,
      variables: { ...variables, after },
      schema: threadsSchema,
      writes: false,
    });
    const { nodes, pageInfo } = answer.repository.pullRequest.reviewThreads;
    threads.push(...nodes);
    after = pageInfo.endCursor ?? null;
    if (!pageInfo.hasNextPage || after === null) break;
  }
  return threads;
}

export const threadDocument = `query ($threadId: ID!) {
  node(id: $threadId) { ... on PullRequestReviewThread { isResolved } }
}`;
export const resolveDocument = `mutation ($threadId: ID!) {
  resolveReviewThread(input: { threadId: $threadId }) { thread { isResolved } }
}`;

const resolved = z.object({ isResolved: z.boolean() });

export async function resolveThread(host: HostSession, threadId: string): Promise<void> {
  const variables = { threadId };
  const { node } = await askGraph(host, {
    ...{ document: threadDocument, variables, writes: false },
    schema: z.object({ node: resolved }),
  });
  if (node.isResolved) return;
  await askGraph(host, {
    ...{ document: resolveDocument, variables, writes: true },
    schema: z.object({ resolveReviewThread: z.object({ thread: resolved }) }),
  });
}
