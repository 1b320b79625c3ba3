import { hashApiToken, type NewApiToken } from '@sluice/core/api-token';
import { newId } from './ids.ts';

/** The input that creates an API token of a user, whose text no test needs. */
export function aNewApiToken(overrides: Partial<NewApiToken> & Pick<NewApiToken, 'userId' | 'expiresAt'>): NewApiToken {
  const id = overrides.id ?? newId<NewApiToken['id']>();
  return { id, repoId: null, name: 'CI', scope: 'write', hint: 'k3Xz', hash: hashApiToken(id), ...overrides };
}
