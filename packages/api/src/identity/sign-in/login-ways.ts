import type { LoginWays } from '@sluice/core/account';
import { AppError } from '@sluice/core/error';
import type { ApiDeps, ApiOptions } from '../../service/api-deps.ts';

type Configured = Pick<ApiDeps, 'codehost' | 'oidc'> & { readonly options: Pick<ApiOptions, 'passwords'> };

/** How users can log in here. */
export function loginWays({ codehost, oidc, options }: Configured): LoginWays {
  return {
    passwords: options.passwords !== false,
    codehost: codehost !== null,
    issuers: oidc.map(({ provider }) => provider.issuer),
  };
}

/** Checks that users can log in with a password. @throws AppError `password_login_disabled` */
export function requirePasswords(configured: Configured): void {
  if (!loginWays(configured).passwords) throw new AppError('password_login_disabled');
}
