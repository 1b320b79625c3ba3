import { AppError } from '@sluice/core/error';
import * as z from 'zod';
import type { ApiDeps, ApiOptions, ConfiguredOidcProvider } from '../../service/api-deps.ts';

/** The provider in an address. Any text: an unknown one is a 404. */
export const providerParameter = z.string().describe('The id of the provider, as `GET /api/server` lists it.');

/** Finds a configured provider by its id. @throws AppError `oidc_provider_not_found` */
export function configuredProvider({ oidc }: Pick<ApiDeps, 'oidc'>, id: string): ConfiguredOidcProvider {
  const found = oidc.find(({ provider }) => provider.id === id);
  if (found === undefined) throw new AppError('oidc_provider_not_found');
  return found;
}

/** Where the provider redirects browsers back to. It must match the registered URL exactly. */
export function oidcCallbackUrl({ publicUrl }: Pick<ApiOptions, 'publicUrl'>, id: string): string {
  return `${publicUrl.origin}/api/auth/oidc/${id}/callback`;
}
