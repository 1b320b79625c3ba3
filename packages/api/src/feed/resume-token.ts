import { type IssueId, isId } from '@sluice/core';
import * as z from 'zod';

/**
 * The position of a reader of all of a user's issues. Every event up to `floor` was sent, an ordinal up to which no more
 * events can appear; of some issues the events above it were sent too, up to a sequence number. That is enough to resume
 * without a gap and without a repeat: docs/adr/0017.
 */
export interface ResumePoint {
  readonly floor: number;
  readonly sent: ReadonlyMap<IssueId, number>;
}

/** Above the floor are the events of about a second, from fewer issues than this. Those that do not fit are sent again. */
const MOST_ISSUES = 100;
const TOKEN = /^\d{1,15}(~[\w-]{22}\.\d{1,9}){0,100}$/;

export const resumeToken = z
  .string()
  .max(4_000)
  .regex(TOKEN, 'is not the id of an event of this stream')
  .transform((token): ResumePoint => {
    const [floor, ...issues] = token.split('~');
    const sent = new Map<IssueId, number>();
    for (const issue of issues) {
      const [id = '', seq] = issue.split('.');
      sent.set(uuidOf(id) as IssueId, Number(seq));
    }
    return { floor: Number(floor), sent };
  })
  .refine(({ sent }) => [...sent.keys()].every(isId), 'is not the id of an event of this stream')
  .meta({ override: { type: 'string', maxLength: 4_000, pattern: TOKEN.source } });

export function renderResumePoint({ floor, sent }: ResumePoint): string {
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
