import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ChangedSubject, CodeHostWebhooks, SubjectKind } from '@sluice/core';
import { z } from 'zod';
import { hostId, hostNumber } from './wire-values.ts';

const repository = z.object({ id: hostId });
const onIssue = z
  .object({ repository, issue: z.object({ number: hostNumber, pull_request: z.unknown().optional() }) })
  .transform(({ repository, issue }) =>
    changed(repository.id, issue.pull_request ? 'change_request' : 'issue', issue.number),
  );
const onChange = z
  .object({ repository, pull_request: z.object({ number: hostNumber }) })
  .transform(({ repository, pull_request }) => changed(repository.id, 'change_request', pull_request.number));

/** The events that Sluice handles, and where their deliveries name the subject. */
const events: ReadonlyMap<string, z.ZodType<ChangedSubject>> = new Map<string, z.ZodType<ChangedSubject>>([
  ['issues', onIssue],
  ['issue_comment', onIssue],
  ['pull_request', onChange],
  ['pull_request_review', onChange],
  ['pull_request_review_comment', onChange],
]);

/** Reads webhook deliveries signed with the secret (HMAC-SHA-256). @throws Error for an empty secret, which is forgeable */
export function createCodeHostWebhooks(secret: string): CodeHostWebhooks {
  if (secret === '') throw new Error('The webhook secret is empty.');
  return {
    read: ({ headers, body }) => {
      const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value ?? '']));
      if (!isSigned(body, named.get('x-hub-signature-256') ?? '', secret)) return null;
      return {
        id: deliveryId(named.get('x-github-delivery') ?? '', body),
        subject: subjectOf(named.get('x-github-event') ?? '', body),
      };
    },
  };
}

function isSigned(body: Uint8Array, signature: string, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
}

/** The signature does not cover the headers, so an invalid id is replaced by a hash of the body. */
function deliveryId(given: string, body: Uint8Array): string {
  return /^[\w-]{1,64}$/.test(given) ? given : createHash('sha256').update(body).digest('hex');
}

function subjectOf(event: string, body: Uint8Array): ChangedSubject | null {
  const shape = events.get(event);
  if (shape === undefined) return null;
  try {
    return shape.safeParse(JSON.parse(Buffer.from(body).toString())).data ?? null;
  } catch {
    return null; // not JSON
  }
}

function changed(codehostRepoId: string, kind: SubjectKind, number: number): ChangedSubject {
  return { codehostRepoId, kind, number };
}
