import { AppError, type CodeHostAccount } from '@sluice/core';
import * as z from 'zod';
import { askProvider, type ProviderPatience } from './ask-provider.ts';

/** Whatever the host says is shown to people and kept: in the form that it has with any honest one, or not at all. */
const accountSchema = z.object({
  id: z.int().positive(),
  login: z.string().regex(/^[\w.-]{1,100}(?:\[bot\])?$/),
  name: z.string().max(400).nullish(),
  avatar_url: z.string().max(2_000).nullish(),
});

/**
 * Whose a token is.
 *
 * @throws AppError `codehost_unavailable`, also when the host does not take the token that it has just given
 */
export async function readAccount(apiUrl: string, token: string, patience: ProviderPatience): Promise<CodeHostAccount> {
  const headers = { ...apiHeaders, Authorization: `Bearer ${token}` };
  const response = await askProvider(`${apiUrl}/user`, { headers }, patience);
  if (response.status !== 200) {
    throw new AppError('codehost_unavailable', {}, { cause: new Error(`The account: status ${response.status}`) });
  }
  const body: unknown = await response.json().catch(() => null);
  const account = accountSchema.safeParse(body);
  if (!account.success) {
    const faults = account.error.issues.map(({ path, code }) => `${path.join('.')} ${code}`).join(', ');
    throw new AppError('codehost_unavailable', {}, { cause: new Error(`The account makes no sense: ${faults}`) });
  }
  const { id, login, name, avatar_url } = account.data;
  return { id: String(id), login, name: name?.trim() || null, avatarUrl: webAddress(avatar_url) };
}

export const apiHeaders = { Accept: 'application/vnd.github+json', 'User-Agent': 'sluice' } as const;

/** A picture's address is put into pages: nothing but a web address, spelled as browsers do. */
function webAddress(address: string | null | undefined): string | null {
  if (!address || !URL.canParse(address)) return null;
  const { protocol, username, password, href } = new URL(address);
  return /^https?:$/.test(protocol) && username === '' && password === '' ? href : null;
}
