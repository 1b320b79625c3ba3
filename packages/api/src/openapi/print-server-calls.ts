import { preferencesSchema, userProfileWire } from '@sluice/core/account';
import { userAccountWire } from '@sluice/core/administration';
import { apiTokenWire } from '@sluice/core/api-token';
import { monthlyBudgetWire } from '@sluice/core/budget';
import { errorCatalog } from '@sluice/core/error';
import { estimateWire } from '@sluice/core/estimate';
import { invitationWire } from '@sluice/core/invitation';
import { eventCatalog, gateWire, issueResultSchema, issueWire, liveEventCatalog } from '@sluice/core/issue';
import { memberWire } from '@sluice/core/member';
import { outcomesWire } from '@sluice/core/outcome';
import { planSchema, testReportSchema } from '@sluice/core/pipeline';
import { repoWire } from '@sluice/core/repo';
import * as z from 'zod';
import { registeredRepoWire } from '../admin/list-all-repos.procedure.ts';
import { budgetsWire } from '../budgets/budgets.procedure.ts';
import { operatorBudgetsWire } from '../budgets/operator-budgets.procedure.ts';
import { createdInvitationWire } from '../identity/invitations/invitations.procedure.ts';
import { comparedBaseWire } from '../issues/compare-base.procedure.ts';
import { countedPage, issuePageWire } from '../issues/issue-page.wire.ts';
import { issueSummaryWire } from '../issues/issue-summary.wire.ts';
import { inboxIssueWire, inboxWire, queuedIssueWire, wantedIssueWire } from '../issues/read-inbox.procedure.ts';
import { deliveryWire, notificationTargetWire } from '../notifications/notification.wire.ts';
import { outcomeWire } from '../outcomes/outcome.wire.ts';
import { type Route, routeTable } from '../transport/rest/route-table.ts';
import { appRouter } from '../transport/trpc/app-router.ts';
import { printType } from './print-type.ts';

type Tree = Map<string, Tree | Route>;

const { triage, commands, budget } = issueWire.shape;

const names = new Map<z.ZodType, string>([
  [issueWire, 'Issue'],
  [issueSummaryWire, 'IssueSummary'],
  [inboxWire, 'Inbox'],
  [inboxIssueWire, 'InboxIssue'],
  [wantedIssueWire, 'WantedIssue'],
  [queuedIssueWire, 'QueuedIssue'],
  [comparedBaseWire, 'ComparedBase'],
  [outcomeWire, 'Outcome'],
  [outcomesWire, 'Outcomes'],
  [notificationTargetWire, 'NotificationTarget'],
  [deliveryWire, 'Delivery'],
  [memberWire, 'Member'],
  [budgetsWire, 'Budgets'],
  [operatorBudgetsWire, 'OperatorBudgets'],
  [monthlyBudgetWire, 'MonthlyBudget'],
  [apiTokenWire, 'ApiToken'],
  [invitationWire, 'Invitation'],
  [createdInvitationWire, 'CreatedInvitation'],
  [userAccountWire, 'UserAccount'],
  [registeredRepoWire, 'RegisteredRepo'],
  [repoWire, 'Repo'],
  [userProfileWire, 'Profile'],
  [preferencesSchema, 'Preferences'],
  [planSchema, 'Plan'],
  [gateWire, 'Gate'],
  [estimateWire, 'Estimate'],
  [issueResultSchema, 'Result'],
  [testReportSchema, 'TestReport'],
  [triage.unwrap().unwrap(), 'Triage'],
  [commands.unwrap().unwrap(), 'IssueCommands'],
  [budget.unwrap().unwrap(), 'IssueBudget'],
]);

/** Parts of the types above. */
const parts: Readonly<Record<string, string>> = {
  IssueStatus: "Issue['status']",
  Stage: "NonNullable<Issue['stage']>",
  Role: "Member['role']",
  TokenScope: "ApiToken['scope']",
  CloseReason: "keyof Outcomes['total']['close_reasons']",
  PlanStep: "Plan['steps'][number]",
  IssueEvent: 'Extract<WatchedEvent, { readonly seq: number }>',
};

/** Prints `packages/client/src/server-calls.ts` as plain types that do not depend on the router, zod or tRPC. */
export function printServerCalls(): string {
  const tree: Tree = new Map();
  for (const route of routeTable(appRouter)) {
    if (!isPage(route)) place(tree, route.name.split('.'), route);
  }
  return [
    "import type { Mutation, Query, Subscription } from './call.ts';",
    ...[...names].map(([schema, name]) => `export type ${name} = ${printType(schema, { io: 'output', names })};`),
    ...Object.entries(parts).map(([name, type]) => `export type ${name} = ${type};`),
    `/** A stored event of an issue, or its live text. */\nexport type WatchedEvent =\n${[...writtenEvents(), ...liveEvents()].join('\n')};`,
    `/** A stored event of one of the user's issues, or stream.opened, which starts a stream without a token. */\nexport type FollowedEvent =\n${[...writtenEvents(), STREAM_OPENED].join('\n')};`,
    `/** The stable error codes of the server. */\nexport type ServerErrorCode =\n${Object.keys(errorCatalog)
      .map((code) => `  | '${code}'`)
      .join('\n')};`,
    REVISION_THAT_WAS_SEEN,
    `/** Every procedure of the server, by name. */\nexport interface ServerCalls ${printTree(tree)}`,
    '',
  ].join('\n\n');
}

/** Redirects and HTML pages are for browsers, so the client does not list them. */
function isPage({ meta }: Route): boolean {
  return meta.status === 302 || meta.text?.type === 'text/html';
}

function place(tree: Tree, [name = '', ...rest]: readonly string[], route: Route): void {
  if (rest.length === 0) {
    tree.set(name, route);
    return;
  }
  const below = tree.get(name) ?? new Map();
  tree.set(name, below);
  place(below as Tree, rest, route);
}

function printTree(tree: Tree): string {
  const members = [...tree].map(([name, node]) => {
    if (node instanceof Map) return `readonly ${name}: ${printTree(node)};`;
    return `${commentOf(node)}readonly ${name}: ${printProcedure(node)};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

/** What the OpenAPI document says of the same operation. */
function commentOf({ meta }: Route): string {
  const { summary = '', description = '' } = meta.openapi ?? meta.sse ?? {};
  const text = [summary === '' ? '' : `${summary}.`, description].filter((part) => part !== '').join(' ');
  return text === '' ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`;
}

/** The type has a name, so that the error of a program without a revision says which one is meant. */
const REVISION_THAT_WAS_SEEN = `export interface RevisionThatWasSeen {
/** The revision of the plan that a person has seen: gate.revision. Without it, the decision would hold for whatever plan waits. */
revision: number;
}`;

/** Members that the client requires beyond the schema: see `RevisionThatWasSeen` in `packages/client/src/server-calls.ts`. */
const alsoRequired: Readonly<Record<string, string>> = {
  'issues.approve': 'RevisionThatWasSeen',
  'issues.list': "{ fields?: 'all' | undefined }",
};

/**
 * The answer's type for a typed program, where the schema has other answers too: for the request that `narrowed` makes.
 */
const outputs: Readonly<Record<string, z.ZodType>> = { 'issues.list': issuePageWire };

/** An answer of its own to a part of the inputs. */
const narrowed: Readonly<Record<string, { readonly input: string; readonly output: z.ZodType }>> = {
  'issues.list': { input: "{ fields: 'summary' }", output: countedPage(issueSummaryWire) },
};

/** The events of each subscription. */
const streamed: Readonly<Record<string, string>> = { 'issues.events': 'WatchedEvent', 'events.watch': 'FollowedEvent' };

function printProcedure({ name, type, input: schema, output }: Route): string {
  const input = [printInput(schema), alsoRequired[name] ?? []].flat().join(' & ');
  if (type === 'subscription') {
    const event = streamed[name];
    if (event === undefined) throw new Error(`What the subscription ${name} streams is not known here.`);
    return `Subscription<${input}, ${event}>`;
  }
  const kind = type === 'query' ? 'Query' : 'Mutation';
  const whole = `${kind}<${input}, ${printOutput(outputs[name] ?? output)}>`;
  const part = narrowed[name];
  // The last signature is the one that other types are inferred from.
  return part === undefined
    ? whole
    : `${kind}<${printSchema(schema)} & ${part.input}, ${printOutput(part.output)}> & ${whole}`;
}

function printOutput(schema: unknown): string {
  if (!(schema instanceof z.ZodType)) return 'undefined';
  return names.get(schema) ?? printType(schema, { io: 'output', names });
}

function printInput(schema: unknown): string {
  if (schema === undefined) return 'void';
  return schema instanceof z.ZodOptional ? `void | ${printSchema(schema)}` : printSchema(schema);
}

function printSchema(input: unknown): string {
  if (!(input instanceof z.ZodType)) throw new Error('An input is not a zod schema.');
  return printType(input, { io: 'input' });
}

const STREAM_OPENED = "  | { readonly type: 'stream.opened'; readonly at: string }";

function writtenEvents(): string[] {
  return Object.entries(eventCatalog).map(
    ([type, data]) =>
      `  | { readonly type: '${type}'; readonly seq: number; readonly issue_id: string; readonly at: string; readonly data: ${printType(data, { io: 'output', names })} }`,
  );
}

function liveEvents(): string[] {
  return Object.entries(liveEventCatalog).map(
    ([type, data]) =>
      `  | { readonly type: '${type}'; readonly issue_id: string; readonly at: string; readonly data: ${printType(data, { io: 'output', names })} }`,
  );
}
