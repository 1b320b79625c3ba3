import type { IncomingMessage } from 'node:http';
import { hasTokenPrefix } from '@sluice/core/api-token';
import type { ApiOptions } from '../../service/api-deps.ts';
import { readSessionCookie } from './session-cookie.ts';

type Head = Pick<IncomingMessage, 'headers' | 'headersDistinct'>;

/**
 * The API token in the `Authorization` headers, however wrong its text is; null for none; `several` where it is not
 * clear which credential is meant. Only `Bearer slc_…` is read: any other value is ignored, a session's JWT too.
 */
export function readBearer(head: Head, { takesApiTokens = false }: Pick<ApiOptions, 'takesApiTokens'>) {
  if (!takesApiTokens || head.headers.authorization === undefined) return null;
  const values = head.headersDistinct.authorization ?? []; // Node keeps the first one only in `headers`
  const token = values.map(tokenIn).find((text) => text !== null) ?? null;
  if (token === null) return null;
  return values.length > 1 || readSessionCookie(head.headers.cookie) !== null ? 'several' : { token };
}

function tokenIn(value: string): string | null {
  const [, text = ''] = /^bearer[ \t]+(.*)$/is.exec(value) ?? [];
  return hasTokenPrefix(text) ? text : null;
}
