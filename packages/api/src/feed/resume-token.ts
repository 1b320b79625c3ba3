import { type IssueId, isId } from '@sluice/core/id';
import * as z from 'zod';

/**
 * The position of a reader of all of a user's issues. Every event up to `floor` was sent, an ordinal up to which no more
 * events can appear; of some issues the events above it were sent too, up to a sequence number. That is enough to resume
 * without a gap and without a repeat: docs/adr/0017.
 */
export interface ResumePoint {
  /** See `EventLog.epoch`. */
  readonly epoch: string | null;
  readonly floor: number;
  readonly sent: ReadonlyMap<IssueId, number>;
}

/** Above the floor are the events of about a second, from fewer issues than this. Those that do not fit are sent again. */
const MAX_ISSUES = 100;
const TOKEN = /^(?:[0-9a-f]{8}:)?\d{1,15}(?:~[\w-]{22}\.\d{1,9}){0,100}$/;

export const resumeToken = z
  .string()
  .max(4_000)
  .regex(TOKEN, 'is not the id of an event of this stream')
  .transform((token): ResumePoint => {
    const { epoch, rest } = splitEpoch(token);
    const [floor, ...issues] = rest.split('~');
    const sent = new Map<IssueId, number>();
    for (const issue of issues) {
      const [id = '', seq] = issue.split('.');
      sent.set(uuidOf(id) as IssueId, Number(seq));
    }
    return { epoch, floor: Number(floor), sent };
  })
  .refine(({ sent }) => [...sent.keys()].every(isId), 'is not the id of an event of this stream')
  .meta({ override: { type: 'string', maxLength: 4_000, pattern: TOKEN.source } });

export function renderResumePoint({ epoch, floor, sent }: ResumePoint): string {
  const newest = [...sent].slice(-MAX_ISSUES);
  const point = [floor, ...newest.map(([id, seq]) => `${bytesOf(id)}.${seq}`)].join('~');
  return withEpoch(epoch, point);
}

/** The position of a reader of one issue: every event up to `seq` was sent. */
export interface IssueResumePoint {
  readonly epoch: string | null;
  readonly seq: number;
}

export const ISSUE_TOKEN = /^(?:[0-9a-f]{8}:)?\d{1,15}$/;
const NO_ISSUE_TOKEN = 'is not the id of an event of this stream';

/** The id of an event of an issue: its sequence number, after the epoch if there is one. A program may give the number alone. */
export const issueResumeToken = z
  .union([z.int(NO_ISSUE_TOKEN).min(0, NO_ISSUE_TOKEN), z.string().regex(ISSUE_TOKEN, NO_ISSUE_TOKEN)], NO_ISSUE_TOKEN)
  .transform((token): IssueResumePoint => {
    const { epoch, rest } = splitEpoch(String(token));
    return { epoch, seq: Number(rest) };
  })
  .meta({ override: { type: 'string', pattern: ISSUE_TOKEN.source } });

export function renderIssueResumePoint({ epoch, seq }: IssueResumePoint): string {
  return withEpoch(epoch, String(seq));
}

function splitEpoch(token: string): { readonly epoch: string | null; readonly rest: string } {
  const [epoch, rest] = token.split(':');
  return epoch === undefined || rest === undefined ? { epoch: null, rest: token } : { epoch, rest };
}

function withEpoch(epoch: string | null, point: string): string {
  return epoch === null ? point : `${epoch}:${point}`;
}

function bytesOf(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

function uuidOf(text: string): string {
  const hex = Buffer.from(text, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
