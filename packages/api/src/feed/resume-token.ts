import { type IssueId, isId } from '@sluice/core';
import * as z from 'zod';

/**
 * Where a reader of all of a user's issues stands: every event up to `floor` (an ordinal up to which no event can appear
 * any more) was sent, and of some issues those after it up to a sequence number. Nothing else is needed to go on without a
 * gap and without a repeat: see docs/adr/0017.
 */
export interface ResumePoint {
  readonly floor: number;
  readonly sent: ReadonlyMap<IssueId, number>;
}

/** Above the floor are the events of about a second: so many issues have none. Those left out are sent again. */
const MOST_ISSUES = 100;
const TOKEN = /^\d{1,15}(~[\w-]{22}\.\d{1,9}){0,100}$/;

export const resumeToken = z
  .string()
  .max(4_000)
  .regex(TOKEN, 'is no id of an event of this stream')
  .transform((token): ResumePoint => {
    const [floor, ...issues] = token.split('~');
    const sent = new Map<IssueId, number>();
    for (const issue of issues) {
      const [id = '', seq] = issue.split('.');
      sent.set(uuidOf(id) as IssueId, Number(seq));
    }
    return { floor: Number(floor), sent };
  })
  .refine(({ sent }) => [...sent.keys()].every(isId), 'is no id of an event of this stream')
  .meta({ override: { type: 'string', maxLength: 4_000, pattern: TOKEN.source } });

export function printResumePoint({ floor, sent }: ResumePoint): string {
  const newest = [...sent].slice(-MOST_ISSUES);
  return [floor, ...newest.map(([id, seq]) => `${bytesOf(id)}.${seq}`)].join('~');
}

function bytesOf(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

function uuidOf(text: string): string {
  const hex = Buffer.from(text, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
