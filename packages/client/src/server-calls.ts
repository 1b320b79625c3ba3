// The only place that knows the type of the server's router. A build replaces this file by self-contained declarations.
import type { AppRouter, ErrorCode } from '@sluice/api';
import type {
  AnyTRPCMutationProcedure,
  AnyTRPCQueryProcedure,
  AnyTRPCSubscriptionProcedure,
  inferRouterInputs,
  inferRouterOutputs,
} from '@trpc/server';
import type { Mutation, Query, Subscription } from './call.ts';

type Inputs = inferRouterInputs<AppRouter>;
type Outputs = inferRouterOutputs<AppRouter>;

type Called<Procedure, Input, Output> = Procedure extends AnyTRPCQueryProcedure
  ? Query<Input, Answer<Output>>
  : Procedure extends AnyTRPCMutationProcedure
    ? Mutation<Input, Answer<Output>>
    : Subscription<Input, Streamed<Output>>;

type AnyProcedure = AnyTRPCQueryProcedure | AnyTRPCMutationProcedure | AnyTRPCSubscriptionProcedure;

/** tRPC infers `never` for an answer without a body. */
type Answer<Output> = [Output] extends [never] ? undefined : Output;

type Streamed<T> = T extends AsyncIterable<infer Envelope extends { data: unknown }> ? Envelope['data'] : never;

/** Pages that a browser opens, and that redirect it. */
type Page = `auth.${'codehost' | 'oidc'}.${'finish' | 'cli.start' | 'cli.confirm'}`;

/** REST accepts a decision without a revision. A typed program always names the plan that was seen. */
interface RevisionThatWasSeen {
  /** The revision of the plan that a person has seen: `gate.revision`. Without it, the decision would hold for whatever plan waits. */
  revision: number;
}

type CallsOf<Node, Input, Output, Above extends string = ''> = {
  readonly [Name in keyof Node & keyof Input & keyof Output & string as `${Above}${Name}` extends Page
    ? never
    : Name]: Node[Name] extends AnyProcedure
    ? Called<
        Node[Name],
        `${Above}${Name}` extends 'issues.approve' ? Input[Name] & RevisionThatWasSeen : Input[Name],
        Output[Name]
      >
    : CallsOf<Node[Name], Input[Name], Output[Name], `${Above}${Name}.`>;
};

type Calls = CallsOf<AppRouter, Inputs, Outputs>;
type IssueQuery = Inputs['issues']['list'];
type IssuePage = Outputs['issues']['list'];

/** The list by the form that is asked for. Other types are inferred from the last overload: the list of whole issues. */
type IssueList = Query<Extract<IssueQuery, object> & { fields: 'summary' }, PageOf<'summary'>> &
  Query<Narrowed<IssueQuery, { fields?: 'all' | undefined }>, PageOf<'full'>>;

type PageOf<Form> = Omit<IssuePage, 'items'> & { items: Extract<IssuePage['items'][number], { form: Form }>[] };

/** Only an input that is given is narrowed. */
type Narrowed<Input, By> = Input extends object ? Input & By : Input;

/** Every procedure of the server, by name. */
export type ServerCalls = Omit<Calls, 'issues'> & {
  readonly issues: Omit<Calls['issues'], 'list'> & { readonly list: IssueList };
};

/** The stable codes of the server's errors. */
export type ServerErrorCode = ErrorCode;

/** An event of one of the user's issues, or `stream.opened`. */
export type FollowedEvent = Streamed<Outputs['events']['watch']>;

/** An event of an issue, or its live text. */
export type WatchedEvent = Streamed<Outputs['issues']['events']>;

/** An issue in a list with `fields: 'summary'`. */
export type IssueSummary = PageOf<'summary'>['items'][number];
export type Issue = Outputs['issues']['get'];
export type Inbox = Outputs['issues']['inbox'];
export type WantedIssue = Inbox['needs_you']['items'][number];
export type QueuedIssue = Inbox['queued']['items'][number];
export type InboxIssue = Inbox['running']['items'][number];
export type ComparedBase = Outputs['issues']['base'];
export type NotificationTarget = Outputs['notifications']['get'];
export type Delivery = Outputs['notifications']['test'];
export type RegisteredRepo = Outputs['admin']['repos']['items'][number];
export type UserAccount = Outputs['admin']['updateUser'];
export type Outcome = Outputs['issues']['closeReason'];
export type Outcomes = Outputs['outcomes']['read'];
export type CloseReason = keyof Outcomes['total']['close_reasons'];
export type Repo = Outputs['repos']['get'];
export type Budgets = Outputs['budgets']['mine'];
export type MonthlyBudget = Budgets['user'];
export type OperatorBudgets = Outputs['admin']['budgets'];
export type Member = Outputs['repos']['addMember'];
export type Role = Member['role'];
export type CreatedInvitation = Outputs['admin']['invite'];
export type Invitation = Outputs['admin']['invitations']['items'][number];
export type ApiToken = Outputs['tokens']['list']['items'][number];
export type TokenScope = ApiToken['scope'];
export type Preferences = Outputs['auth']['preferences']['get'];
export type Profile = Outputs['auth']['me'];
export type IssueStatus = Issue['status'];
export type Stage = NonNullable<Issue['stage']>;
export type Plan = NonNullable<Issue['plan']>;
export type PlanStep = Plan['steps'][number];
export type Gate = NonNullable<Issue['gate']>;
export type Estimate = NonNullable<Gate['estimate']>;
export type Result = NonNullable<Issue['result']>;
export type TestReport = NonNullable<Result['tests']>;
export type Triage = NonNullable<Issue['triage']>;
export type IssueCommands = NonNullable<Issue['commands']>;
export type IssueBudget = NonNullable<Issue['budget']>;

/** A stored event of an issue. */
export type IssueEvent = Extract<WatchedEvent, { readonly seq: number }>;
