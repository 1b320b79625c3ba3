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

/** Renders `docs/events.md`: every type of event, when it is written, and the members of its data. */
export function printEventsPage(): string {
  const stays = new Set<string>(milestoneEvents);
  return `<!-- Generated from packages/core/src/issue/event-catalog.ts by "npm run gen". -->

# Events

The history of an issue is a list of events. Read it with \`GET /api/issues/{id}/history\`, or follow it as Server-Sent Events
with \`GET /api/issues/{id}/events\` (one issue) or \`GET /api/events\` (all of your issues).

## On the wire

A stored event is \`{ "seq", "issue_id", "type", "at", "data" }\`. \`seq\` counts the events of an issue from 1, without gaps.
\`at\` is the time when the event was written. In a stream, \`event:\` is the type, \`data:\` the whole event as JSON, and \`id:\` the
position after the event: \`seq\` in the stream of one issue, a resume token in the stream of all. Send it as \`Last-Event-ID\` or
\`?after=\` to resume without missing an event. A comment every 15 s keeps the connection open. Ignore unknown types: later
versions may add some.

An event is written in the same transaction as the change that it describes, so neither exists without the other. Events
marked *Stays* remain when \`EVENT_RETENTION\` [deletes](retention.md) the details of an ended issue.

## Stored events

${Object.entries(eventCatalog)
  .map(([type, schema]) => section(type, shapeOf(schema), stays.has(type)))
  .join('\n\n')}

## Live text

Live text is sent only in the stream of one issue, without \`seq\` and \`id\`. It is not stored and not repeated after a
reconnection. A stored event with the result follows it.

${Object.entries(liveEventCatalog)
  .map(([type, schema]) => section(type, shapeOf(schema), false))
  .join('\n\n')}

## Start of a stream

\`stream.opened\` is the first event in a stream of all issues that starts without a resume token, or with one from before a restore.
It belongs to no issue, has only \`type\` and \`at\`, and its \`id\` resumes from that point.
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

/** The members of an object, followed by those of nested objects. An issue is described by its endpoint instead. */
function members(shape: Shape, path = ''): [name: string, type: string, description: string][] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, member]) => {
    const optional = shape.required?.includes(name) === true ? '' : ', may be absent';
    const here = `${path}${name}`;
    const row: [string, string, string] = [here, `${typeName(member)}${optional}`, member.description ?? ''];
    const isIssue = Object.keys(member.properties ?? {}).length === issueMembers;
    if (isIssue) return [[here, 'an issue, as returned by `GET /api/issues/{id}`', row[2]]];
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
