import { eventCatalog, liveEventCatalog, milestoneEvents } from '../packages/core/src/issue/event-catalog.ts';
import { issueWire } from '../packages/core/src/issue/issue-wire.ts';
import { printTable } from './print-table.ts';

interface Shape {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

/** `docs/events.md`: every type of event with when it is written and the members of its data. */
export function printEventsPage(): string {
  const stays = new Set<string>(milestoneEvents);
  return `<!-- Printed from packages/core/src/issue/event-catalog.ts by "npm run gen". -->

# Events

What happens to an issue is a list of events. Read it by \`GET /api/issues/{id}/history\`, or follow it by
\`GET /api/issues/{id}/events\` (one issue) and \`GET /api/events\` (all of yours), as Server-Sent Events.

## On the wire

A written event is \`{ "seq", "issue_id", "type", "at", "data" }\`. \`seq\` counts within its issue, from 1 and without gaps.
\`at\` is when it was written. In a stream \`event:\` is the type, \`data:\` the whole of it as JSON, and \`id:\` is what
resumes after it: \`seq\` in the stream of one issue, a token in the stream of all. Send it as \`Last-Event-ID\` or
\`?after=\`, and nothing is left out. A comment every 15 s keeps the connection open. Take types that you do not know for
nothing: new ones may come.

An event is written in the same transaction as what it tells of. So it is never there without it, nor it without the
event. Those marked *stays* remain when \`EVENT_RETENTION\` [forgets](retention.md) the details of an ended issue.

## Written events

${Object.entries(eventCatalog)
  .map(([type, schema]) => section(type, shapeOf(schema), stays.has(type)))
  .join('\n\n')}

## Live text

Sent as it comes, in the stream of one issue alone: no \`seq\`, no \`id\`, never stored, never sent again. What counts of it
is written as an event afterwards.

${Object.entries(liveEventCatalog)
  .map(([type, schema]) => section(type, shapeOf(schema), false))
  .join('\n\n')}

## The stream's own

\`stream.opened\` is the first event of a stream of all issues that begins without a token. It has \`type\` and \`at\` alone, is
of no issue, and its \`id\` resumes from there.
`;
}

function shapeOf(schema: { toJSONSchema(): unknown }): Shape {
  return schema.toJSONSchema() as Shape;
}

const issueMembers = Object.keys(shapeOf(issueWire).properties ?? {}).length;

function section(type: string, shape: Shape, stays: boolean): string {
  if (shape.description === undefined) throw new Error(`Describe when ${type} is sent.`);
  const rows = members(shape).map(([name, of, description]) => [`\`${name}\``, of, description]);
  return `### ${type}

${shape.description}${stays ? ' *Stays.*' : ''}

${printTable(['member', 'type', 'meaning'], rows)}`;
}

/** The members of an object, those of its objects below them. The issue is shown by its endpoint instead. */
function members(shape: Shape, path = ''): [name: string, type: string, description: string][] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, member]) => {
    const optional = shape.required?.includes(name) === true ? '' : ', may be absent';
    const here = `${path}${name}`;
    const row: [string, string, string] = [here, `${typeName(member)}${optional}`, member.description ?? ''];
    const isIssue = Object.keys(member.properties ?? {}).length === issueMembers;
    if (isIssue) return [[here, 'an issue, as `GET /api/issues/{id}` answers it', row[2]]];
    const inner = member.anyOf?.find((one) => one.properties !== undefined) ?? member;
    const suffix = inner.type === 'array' ? '[].' : '.';
    return [row, ...members(inner.type === 'array' ? (inner.items ?? {}) : inner, `${here}${suffix}`)];
  });
}

function typeName(shape: Shape): string {
  if (shape.anyOf !== undefined) {
    return shape.anyOf
      .toSorted((a, b) => Number(a.type === 'null') - Number(b.type === 'null'))
      .map(typeName)
      .join(' or ');
  }
  if (shape.const !== undefined) return `\`${String(shape.const)}\``;
  if (shape.enum !== undefined) return shape.enum.map((word) => `\`${String(word)}\``).join(', ');
  if (shape.type === 'array') return `list of ${typeName(shape.items ?? {})}`;
  if (shape.format === 'uuid' || shape.format === 'date-time') return shape.format === 'uuid' ? 'UUID' : 'time';
  return typeof shape.type === 'object' ? shape.type.join(' or ') : (shape.type ?? 'anything');
}
