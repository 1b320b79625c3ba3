import { eventCatalog, liveEventCatalog } from '@sluice/core/issue';
import * as z from 'zod';

const position = { issue_id: z.uuid(), at: z.iso.datetime() };

/** One schema for each type of event: a program that looks at `type` knows what `data` is. */
export function eventSchemas(): Record<string, z.ZodType> {
  const stored = Object.entries(eventCatalog).map(([type, data]) => [
    eventName(type),
    z.object({ seq: z.int().min(1), ...position, type: z.literal(type), data }).describe(data.description ?? ''),
  ]);
  const live = Object.entries(liveEventCatalog).map(([type, data]) => [
    eventName(type),
    z.object({ ...position, type: z.literal(type), data }).describe(data.description ?? ''),
  ]);
  const opened = z
    .object({ type: z.literal('stream.opened'), at: z.iso.datetime() })
    .describe('A stream of all issues begins here, without the events before it.');
  return Object.fromEntries([...stored, ...live, [eventName('stream.opened'), opened]]);
}

/** `agent.tool_call` is `AgentToolCallEvent`. */
function eventName(type: string): string {
  const words = type.split(/[._]/).map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Event`;
}

type Union = Readonly<Record<string, unknown>>;

/** The unions of events, by their names. Generators narrow them by `type`. */
export function eventUnions(): Record<'IssueEvent' | 'WatchedEvent' | 'FollowedEvent', Union> {
  const stored = Object.keys(eventCatalog);
  const live = Object.keys(liveEventCatalog);
  return {
    IssueEvent: union('A stored event of an issue.', stored),
    WatchedEvent: union('An event in the stream of one issue: stored, or live text.', [...stored, ...live]),
    FollowedEvent: union('An event in the stream of all issues.', [...stored, 'stream.opened']),
  };
}

function union(description: string, types: readonly string[]): Union {
  const refs = types.map((type) => [type, `#/components/schemas/${eventName(type)}`] as const);
  return {
    description: `${description} Later versions may add types: ignore those that you do not know.`,
    oneOf: refs.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(refs) },
  };
}
