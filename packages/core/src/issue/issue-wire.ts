import * as z from 'zod';
import type { Budget } from '../pipeline/budget.ts';
import { budgetLeft } from '../pipeline/budget-left.ts';
import type { PipelineState } from '../pipeline/pipeline-state.ts';
import { toTriageWire } from './gate-wire.ts';
import type { Issue, ListedIssue } from './issue.ts';
import {
  type FilteredField,
  filteredFields,
  type IssueField,
  issueFields,
  type ListedField,
  listedFields,
  type SummarizedIssue,
} from './issue-fields.ts';

type Shape<Name extends IssueField> = { [One in Name]: (typeof issueFields)[One]['wire'] };

const allFields = Object.keys(issueFields) as IssueField[];

/** The issue on the wire: one schema for REST, tRPC and the events that carry an issue. */
export const issueWire = z.object(shapeOf(allFields));
export type IssueWire = z.infer<typeof issueWire>;

/** What a summary in a list has of the fields: not the texts. A body and a plan can have 64 KiB each. */
export const listedFieldsWire = z.object(shapeOf(listedFields));

/** The parameters that narrow a list to one value of a field. */
export const issueFilterWire = Object.fromEntries(
  filteredFields.map((name) => {
    const { wire, uses } = issueFields[name];
    return [name, filterSchema(wire).describe(uses.filtered)];
  }),
) as { [Name in FilteredField]: ReturnType<typeof filterSchema<(typeof issueFields)[Name]['wire']>> };

type Value<Wire extends z.ZodType> =
  Wire extends z.ZodDefault<infer Inner extends z.ZodType>
    ? Value<Inner>
    : Wire extends z.ZodNullable<infer Inner extends z.ZodType>
      ? Value<Inner>
      : Wire;

/**
 * The schema of a filter by a field. The default of a field is for events of earlier releases: a list without the parameter
 * is not narrowed to it.
 */
export function filterSchema<Wire extends z.ZodType>(wire: Wire): z.ZodOptional<Value<Wire>> {
  let value: z.ZodType = wire;
  while (value instanceof z.ZodDefault || value instanceof z.ZodNullable) value = value.unwrap() as z.ZodType;
  return value.optional() as z.ZodOptional<Value<Wire>>;
}

function shapeOf<Name extends IssueField>(names: readonly Name[]): Shape<Name> {
  return Object.fromEntries(names.map((name) => [name, issueFields[name].wire])) as Shape<Name>;
}

export const toIssueWire: (issue: ListedIssue) => IssueWire = writerOf(allFields);
export const toListedFields: (issue: SummarizedIssue) => Pick<IssueWire, ListedField> = writerOf(listedFields);

/** @returns a function that makes these fields of an issue, for as little as a written literal */
function writerOf<Name extends IssueField>(names: readonly Name[]) {
  const fields = names.map((name) => [name, issueFields[name].of as (issue: SummarizedIssue) => unknown] as const);
  return (issue: SummarizedIssue): Pick<IssueWire, Name> => {
    const wire: Record<string, unknown> = {};
    for (const [name, of] of fields) wire[name] = of(issue);
    return wire as Pick<IssueWire, Name>;
  };
}

/** An issue by itself: with what is not read, or not known, for lists and for the event of its creation. */
export function toFullIssueWire(
  issue: Issue,
  {
    limits,
    activeMs,
    gate = null,
  }: { readonly limits: Budget; readonly activeMs: number; readonly gate?: IssueWire['gate'] },
): IssueWire {
  const { pipeline, usage } = issue;
  return {
    ...toIssueWire(issue),
    gate,
    follow_up: pipeline.follow_up,
    triage: pipeline.triage === null ? null : toTriageWire(pipeline.triage),
    commands: commandsOf(pipeline),
    budget: budgetLeft({ usage, activeMs }, pipeline.budget.limit ?? limits),
  };
}

function commandsOf({ prepared }: PipelineState): IssueWire['commands'] {
  if (prepared === null) return null;
  const { setup_command: setup, test_command: test } = prepared;
  return {
    setup: setup === null ? null : { command: setup, source: prepared.setup_source },
    test: test === null ? null : { command: test, source: prepared.test_source },
  };
}
