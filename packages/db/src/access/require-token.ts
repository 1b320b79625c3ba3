import { includesRole, type RoleNeeded, roleInsufficient, scopeRoles } from '@sluice/core/access';
import { isTokenLive } from '@sluice/core/api-token';
import { AppError } from '@sluice/core/error';
import type { ApiTokenId } from '@sluice/core/id';
import { eq } from 'drizzle-orm';
import { type Given, prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';

const selectToken = prepared(({ context, db }, given: Given<{ id: ApiTokenId }>) => {
  const { apiTokens: tokens, users } = context.database.tables;
  return db
    .select({
      scope: tokens.scope,
      repoId: tokens.repoId,
      revokedAt: tokens.revokedAt,
      expiresAt: tokens.expiresAt,
      disabledAt: users.disabledAt,
    })
    .from(tokens)
    .innerJoin(users, eq(users.id, tokens.userId))
    .where(eq(tokens.id, given('id', tokens.id)));
});

/**
 * Refuses a write by an API token that has ended since its request was admitted, or does not reach as far.
 *
 * @throws AppError `token_invalid`, `not_owner`, `token_scope_insufficient`, and nothing is written
 */
export async function requireToken(write: Write, id: ApiTokenId, needs: RoleNeeded | undefined): Promise<void> {
  const [token] = await selectToken(write, { id });
  if (token === undefined || token.disabledAt !== null || !isTokenLive(token, write.now)) {
    throw new AppError('token_invalid');
  }
  if (needs === undefined) return;
  const role = scopeRoles[token.scope];
  if (token.repoId !== null && token.repoId !== needs.repoId) {
    throw new AppError('not_owner', { detail: 'The API token is limited to another repository.' });
  }
  if (!includesRole(role, needs.role)) throw roleInsufficient(role, needs.role, { role, repoId: token.repoId });
}
