import * as z from 'zod';
import { budgetKinds } from '../budget/monthly-budget.ts';
import { changeRequestStates } from '../code-host/change-request.ts';
import { budgetLeftSchema } from '../pipeline/budget-left.ts';
import { followUpCauseSchema } from '../pipeline/follow-up-cause.ts';
import { commandSources } from '../pipeline/pipeline-state.ts';
import { planSchema } from '../pipeline/plan.ts';
import { stages } from '../pipeline/stages.ts';
import { usageSchema } from '../pipeline/usage.ts';
import { gateWire, triageWire } from './gate-wire.ts';
import { type Issue, issueOrigins, type ListedIssue } from './issue.ts';
import { issueStatuses } from './issue-machine.ts';
import { issueErrorSchema, issueResultSchema } from './issue-result.ts';

/** What requests do with a field. */
interface Uses {
  /** False: a summary in a list does not have it. */
  readonly listed?: false;
  /** Whether a request that creates an issue must give it, or may. */
  readonly created?: 'required' | 'optional';
  /** It can be changed until the issue starts. */
  readonly edited?: true;
  /** A list can be narrowed to one of its values. The description of that parameter. */
  readonly filtered?: string;
}

/** An issue as its summary is made: without the texts that are long. */
export type SummarizedIssue = Omit<ListedIssue, 'body' | 'plan'>;

/**
 * @param wire its schema
 * @param of reads its value from an issue of a list; it returns null for what only a whole issue has
 */
function field<Wire extends z.ZodType, const Used extends Uses = Record<never, never>>(
  wire: Wire,
  of: (issue: Used extends { readonly listed: false } ? ListedIssue : SummarizedIssue) => z.output<Wire>,
  uses?: Used,
) {
  return { wire, of, uses: uses ?? ({} as Used) };
}

const instant = z.iso.datetime();

const commandWire = z.object({
  command: z.string(),
  source: z
    .enum(commandSources)
    .nullable()
    .describe('The settings of the repository, or its files; null where an earlier release prepared the issue.'),
});

const commandsWire = z.object({
  setup: commandWire.nullable().describe('Installs the dependencies; null: none runs.'),
  test: commandWire.nullable().describe('null: none is known, and the change is not tested.'),
});

/**
 * The fields of an issue on the wire, in their order. The schemas of an issue and of its summary, their making, and the
 * fields that requests create, edit and filter by derive from it. CONTRIBUTING.md tells how a field is added.
 */
export const issueFields = {
  id: field(z.uuid(), ({ id }) => id),
  repo_id: field(z.uuid(), ({ repoId }) => repoId),
  title: field(z.string(), ({ title }) => title, { created: 'required', edited: true }),
  body: field(z.string(), ({ body }) => body, { listed: false, created: 'required', edited: true }),
  status: field(z.enum(issueStatuses), ({ status }) => status),
  stage: field(z.enum(stages).nullable(), ({ stage }) => stage),
  origin: field(z.enum(issueOrigins), ({ origin }) => origin, { filtered: 'Where it was written.' }),
  labels: field(z.array(z.string()), ({ labels }) => [...labels], { created: 'optional' }),
  created_by: field(
    z
      .uuid()
      .nullable()
      .default(null)
      .describe('The user who created or imported it; null in `issue.created` of earlier releases.'),
    ({ userId }) => userId,
  ),
  parent_issue_id: field(z.uuid().nullable(), ({ parentIssueId }) => parentIssueId),
  follow_up: field(
    followUpCauseSchema
      .nullable()
      .default(null)
      .describe(
        'Why a follow-up exists; null for other issues, for follow-ups of earlier releases, in lists and in `issue.created`.',
      ),
    () => null,
    { listed: false },
  ),
  codehost_number: field(z.int().nullable(), ({ codehostNumber }) => codehostNumber),
  codehost_url: field(z.string().nullable(), ({ codehostUrl }) => codehostUrl),
  change_request_state: field(
    z.enum(changeRequestStates).nullable().default(null),
    ({ changeRequest }) => changeRequest?.state ?? null,
  ),
  base_branch: field(z.string(), ({ baseBranch }) => baseBranch, { created: 'optional' }),
  plan: field(planSchema.nullable(), ({ plan }) => plan, { listed: false }),
  gate: field(
    gateWire.nullable(),
    ({ gate }) => (gate === null ? null : { ...gate, your_approval: null, estimate: null }),
    { listed: false },
  ),
  result: field(issueResultSchema.nullable(), ({ result }) => result, { listed: false }),
  error: field(issueErrorSchema.nullable(), ({ error }) => error, { listed: false }),
  usage: field(usageSchema, ({ usage }) => usage),
  triage: field(
    triageWire
      .nullable()
      .default(null)
      .describe('What the triager found; null before that, in lists and in `issue.created`.'),
    () => null,
    { listed: false },
  ),
  commands: field(
    commandsWire
      .nullable()
      .default(null)
      .describe(
        'The commands of the repository that are used; null before `prepare`, in lists and in `issue.created`.',
      ),
    () => null,
    { listed: false },
  ),
  budget: field(
    budgetLeftSchema
      .nullable()
      .default(null)
      .describe('The limits in force, and what is left of them; null in lists and in `issue.created`.'),
    () => null,
    { listed: false },
  ),
  queue_position: field(z.int().nullable(), ({ queuePosition }) => queuePosition),
  waits_for_repo: field(
    z
      .boolean()
      .default(false)
      .describe(
        'Whether the issue waits, `pending`, for another issue on the same repository to end. Then it is queued.',
      ),
    ({ waitsForRepo }) => waitsForRepo,
  ),
  queue_reason: field(
    z
      .enum(['slot', 'repo', 'budget'])
      .nullable()
      .default(null)
      .describe(
        'What it waits for, `pending`: a free slot, its repository, or a monthly budget (`held_by_budget`). Null: for nothing of these.',
      ),
    ({ heldByBudget, waitsForRepo, queuePosition }) => {
      if (heldByBudget !== null) return 'budget';
      if (waitsForRepo) return 'repo';
      return queuePosition === null ? null : 'slot';
    },
  ),
  held_by_budget: field(
    z
      .enum(budgetKinds)
      .nullable()
      .default(null)
      .describe(
        'Whose monthly budget is used up, so that the issue waits: that of the person who created it, of the repository, or of the installation. It goes on by itself in the next month, or when the budget is raised.',
      ),
    ({ heldByBudget }) => heldByBudget,
  ),
  created_at: field(instant, ({ createdAt }) => createdAt.toISOString()),
  updated_at: field(instant, ({ updatedAt }) => updatedAt.toISOString()),
  queued_at: field(instant.nullable(), ({ queuedAt }) => queuedAt?.toISOString() ?? null),
  started_at: field(instant.nullable(), ({ startedAt }) => startedAt?.toISOString() ?? null),
  finished_at: field(instant.nullable(), ({ finishedAt }) => finishedAt?.toISOString() ?? null),
  form: field(
    z
      .literal('full')
      .default('full')
      .describe(
        '`full`: the issue has its texts. An item of a list with `fields=summary` has none, and says `summary`. Absent in `issue.created` of earlier releases.',
      ),
    () => 'full' as const,
    { listed: false },
  ),
} satisfies Record<SnakeCase<Exclude<keyof ListedIssue, OtherwiseShown>>, unknown> & Record<string, unknown>;

/** The user is `created_by`, and of the pull request only its state is a field. The other two are for the service alone. */
type OtherwiseShown = 'userId' | 'changeRequest' | 'holdsSlot' | 'lastSeq';

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';
type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

type Fields = typeof issueFields;
/** The name of a field on the wire. */
export type IssueField = keyof Fields;
/** The fields with that use. */
type Used<Use extends keyof Uses, Value> = {
  [Name in IssueField]: Fields[Name]['uses'] extends Readonly<Record<Use, Value>> ? Name : never;
}[IssueField];
export type CreatedField = Used<'created', 'required' | 'optional'>;
export type EditedField = Used<'edited', true>;
export type FilteredField = Used<'filtered', string>;
/** The fields that a summary in a list has. */
export type ListedField = Exclude<IssueField, Used<'listed', false>>;

/** The values of these fields, by their names in the domain. */
type ValuesOf<Name extends IssueField> = {
  readonly [One in Name as CamelCase<One>]: Issue[CamelCase<One> & keyof Issue];
};
/** What a person writes of a new issue. */
export type IssueDraft = ValuesOf<Used<'created', 'required'>> & Partial<ValuesOf<Used<'created', 'optional'>>>;
/** What can be edited of an issue. */
export type EditableFields = ValuesOf<EditedField>;
/** The fields to whose values a list is narrowed. */
export type FieldFilter = Partial<ValuesOf<FilteredField>>;

const rows: [IssueField, { readonly uses: Uses }][] = Object.entries(issueFields) as never;
const namesOf = <Name extends IssueField>(isUsed: (uses: Uses) => boolean) =>
  rows.filter(([, { uses }]) => isUsed(uses)).map(([name]) => name as Name);

export const createdFields: readonly CreatedField[] = namesOf(({ created }) => created !== undefined);
export const editedFields: readonly EditedField[] = namesOf(({ edited }) => edited === true);
export const filteredFields: readonly FilteredField[] = namesOf(({ filtered }) => filtered !== undefined);
export const listedFields: readonly ListedField[] = namesOf(({ listed }) => listed !== false);

/** What the domain calls a field: `base_branch` is its `baseBranch`. */
export function domainName<Name extends IssueField>(name: Name): CamelCase<Name> {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Name>;
}

/** The given fields of a request, by their names in the domain. */
export function fieldsOf<Name extends IssueField, Request extends { readonly [One in Name]?: unknown }>(
  names: readonly Name[],
  request: Request,
) {
  const given = names.filter((name) => request[name] !== undefined).map((name) => [domainName(name), request[name]]);
  return Object.fromEntries(given) as {
    [One in keyof Request as One extends Name ? CamelCase<One> : never]: Exclude<Request[One], undefined>;
  };
}
