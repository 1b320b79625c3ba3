import type { ApiOptions } from '../service/api-deps.ts';

/** Where the code host redirects browsers back to. It must match the registered URL exactly. */
export function callbackUrl({ publicUrl }: Pick<ApiOptions, 'publicUrl'>): string {
  return `${publicUrl.origin}/api/auth/codehost/callback`;
}
