import type { ApiOptions } from '../service/api-deps.ts';

/** Where the code host sends browsers back to, as it is registered there: character for character. */
export function callbackUrl({ publicUrl }: Pick<ApiOptions, 'publicUrl'>): string {
  return `${publicUrl.origin}/api/auth/codehost/callback`;
}
