import type { CodeHostAccount } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import * as z from 'zod';
import { fetchFromProvider, type RequestLimits } from './fetch-from-provider.ts';

/** Values of the host are stored and shown to users, so only those of the usual form are accepted. */
const accountSchema = z.object({
  id: z.int().positive(),
  login: z.string().regex(/^[\w.-]{1,100}(?:\[bot\])?$/),
  name: z.string().max(400).nullish(),
  avatar_url: z.string().max(2_000).nullish(),
});

/**
 * Reads the account of a token.
 *
 * @throws AppError `codehost_unavailable`, also when the host rejects the token that it has just issued
 */
export async function readAccount(apiUrl: string, token: string, limits: RequestLimits): Promise<CodeHostAccount> {
  const headers = { ...apiHeaders, Authorization: `Bearer ${token}` };
  const response = await fetchFromProvider(`${apiUrl}/user`, { headers }, limits);
  if (response.status !== 200) {
    throw new AppError(
      'codehost_unavailable',
      {},
      { cause: new Error(`Reading the account: status ${response.status}`) },
    );
  }
  const body: unknown = await response.json().catch(() => null);
  const account = accountSchema.safeParse(body);
  if (!account.success) {
    const faults = account.error.issues.map(({ path, code }) => `${path.join('.')} ${code}`).join(', ');
    throw new AppError('codehost_unavailable', {}, { cause: new Error(`Invalid account: ${faults}`) });
  }
  const { id, login, name, avatar_url } = account.data;
  return { id: String(id), login, name: name?.trim() || null, avatarUrl: webAddress(avatar_url) };
}

export const apiHeaders = { Accept: 'application/vnd.github+json', 'User-Agent': 'sluice' } as const;

/** The URL of a picture is put into pages, so only an http(s) URL in its normalized form is accepted. */
function webAddress(address: string | null | undefined): string | null {
  if (!address || !URL.canParse(address)) return null;
  const { protocol, username, password, href } = new URL(address);
  return /^https?:$/.test(protocol) && username === '' && password === '' ? href : null;
}
