import { AppError } from '@sluice/core/error';
import type { ApiDeps, ConfiguredCodeHost } from '../service/api-deps.ts';

/**
 * The code host, for work that needs one.
 *
 * @throws AppError `codehost_not_configured`
 */
export function configuredCodeHost({ codehost }: Pick<ApiDeps, 'codehost'>): ConfiguredCodeHost {
  if (codehost === null) throw new AppError('codehost_not_configured');
  return codehost;
}
