import {
  buildSchema,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  graphql,
  parse,
  validate,
} from 'graphql';
import { jsonAnswer } from '../http/answer.ts';
import type { HostCall, HostRoute } from '../http/host-call.ts';
import { markPullReady } from '../people/pull-acts.ts';
import { resolveThreadOf } from '../people/thread-acts.ts';
import { findRepo, type HostRepository } from '../state/host-state.ts';
import { atLeast, permissionOfToken } from '../state/permission.ts';
import { isPull, type PullSubject } from '../wire/wire-pull.ts';
import { type HostThread, threadsOf } from '../wire/wire-thread.ts';
import { callerOf } from './reach.ts';

export const graphRoutes: readonly HostRoute[] = [{ route: 'POST /graphql', handle: answerGraph }];

let providers: Promise<GraphQLSchema> | null = null;

/** The provider's own schema, by which every document is validated and every answer completed. Read at the first use. */
async function graphSchema(): Promise<GraphQLSchema> {
  providers ??= import('@octokit/graphql-schema').then(({ schema }) => buildSchema(schema.idl, { assumeValid: true }));
  return await providers;
}

/** The faults of a document by the provider's schema; empty when there are none. */
export async function graphProblems(document: string): Promise<readonly string[]> {
  return validate(await graphSchema(), parse(document)).map(({ message }) => message);
}

interface Reached {
  readonly repo: HostRepository;
  readonly subject: PullSubject;
}

async function answerGraph(call: HostCall) {
  callerOf(call);
  const { query, variables } = call.body;
  const result = await graphql({
    schema: await graphSchema(),
    source: String(query ?? ''),
    variableValues: (variables ?? {}) as Record<string, unknown>,
    rootValue: resolvers(call),
  });
  const errors = result.errors?.map((error) => withType(error.toJSON()));
  return jsonAnswer(200, { ...(result.data === undefined ? {} : { data: result.data }), ...(errors && { errors }) });
}

/** The host has the type of an error beside its message. */
function withType({ extensions: { type, ...extensions } = {}, ...error }: GraphQLFormattedError) {
  return { ...(type === undefined ? { extensions } : { type }), ...error };
}

function fail(type: 'NOT_FOUND' | 'FORBIDDEN', message: string): never {
  throw new GraphQLError(message, { extensions: { type } });
}

/** What Sluice asks for. Anything else of the schema is null. */
function resolvers(call: HostCall) {
  const visible = () => call.host.repos.filter((repo) => atLeast(permissionOfToken(repo, call.token), 'read'));
  const all = (): Reached[] =>
    visible().flatMap((repo) => repo.subjects.filter(isPull).map((subject) => ({ repo, subject })));
  const pullOf = (id: string) =>
    all().find(({ subject }) => `PR_${subject.pull.id}` === id) ??
    fail('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);
  const threadOf = (id: string) =>
    all()
      .flatMap((at) => threadsOf(at.subject).map((thread) => ({ ...at, thread })))
      .find(({ thread }) => thread.id === id) ??
    fail('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`);
  const admit = ({ repo, subject }: Reached) => {
    const may = atLeast(permissionOfToken(repo, call.token), 'write') || subject.author === callerOf(call);
    if (!may) fail('FORBIDDEN', `${callerOf(call).login} does not have the correct permissions to execute this.`);
  };
  return {
    repository: ({ owner, name }: { owner: string; name: string }) => {
      const repo = findRepo(call.host, `${owner}/${name}`);
      if (repo === null || !visible().includes(repo)) {
        return fail('NOT_FOUND', `Could not resolve to a Repository with the name '${owner}/${name}'.`);
      }
      return {
        pullRequest: ({ number }: { number: number }) => {
          const subject = repo.subjects.filter(isPull).find((one) => one.number === number);
          if (subject === undefined)
            fail('NOT_FOUND', `Could not resolve to a PullRequest with the number of ${number}.`);
          return {
            reviewThreads: (page: { first: number; after?: string | null }) => threadPage(threadsOf(subject), page),
          };
        },
      };
    },
    node: ({ id }: { id: string }) => threadWire(threadOf(id).thread),
    resolveReviewThread: ({ input }: { input: { threadId: string } }) => {
      const at = threadOf(input.threadId);
      admit(at);
      resolveThreadOf(call.host, { ...at, by: callerOf(call) }, at.thread);
      return { thread: threadWire(threadOf(input.threadId).thread) };
    },
    markPullRequestReadyForReview: ({ input }: { input: { pullRequestId: string } }) => {
      const at = pullOf(input.pullRequestId);
      admit(at);
      markPullReady(call.host, { ...at, by: callerOf(call) });
      return { pullRequest: { isDraft: at.subject.pull.draft } };
    },
  };
}

function threadPage(threads: readonly HostThread[], { first, after }: { first: number; after?: string | null }) {
  const start = after == null ? 0 : Number(after);
  const end = Math.min(start + first, threads.length);
  return {
    nodes: threads.slice(start, end).map(threadWire),
    pageInfo: { hasNextPage: end < threads.length, endCursor: end === start ? null : String(end) },
  };
}

function threadWire({ id, isResolved, comments }: HostThread) {
  return {
    __typename: 'PullRequestReviewThread',
    id,
    isResolved,
    comments: ({ first }: { first: number }) => ({
      nodes: comments.slice(0, first).map((comment) => ({ fullDatabaseId: String(comment.id) })),
    }),
  };
}
