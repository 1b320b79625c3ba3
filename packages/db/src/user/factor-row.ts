import type { NewSecondFactor, SecondFactor } from '@sluice/core/account';
import type { Tables } from '../schema/schema.ts';

type Row = Tables['secondFactors']['$inferSelect'];

export function toSecondFactor(row: Row): SecondFactor {
  const { id, userId, name, createdAt, lastUsedAt, kind, credentialId, publicKey, counter, transports } = row;
  const common = { id, userId, name, createdAt, lastUsedAt };
  if (kind === 'passkey' && credentialId !== null && publicKey !== null && counter !== null && transports !== null) {
    return { ...common, kind, credentialId, publicKey, counter, transports };
  }
  const { secretEncrypted, secretNonce, lastStep } = row;
  if (kind === 'totp' && secretEncrypted !== null && secretNonce !== null && lastStep !== null) {
    return { ...common, kind, secret: { encrypted: secretEncrypted, nonce: secretNonce }, lastStep };
  }
  throw new Error(`The second factor ${id} is not whole.`); // the database's checks refuse such a row
}

export function factorColumns(factor: NewSecondFactor, createdAt: Date): Tables['secondFactors']['$inferInsert'] {
  const { id, userId, name, kind } = factor;
  const common = { id, userId, name, kind, createdAt };
  if (factor.kind === 'totp') {
    const { secret, lastStep } = factor;
    return { ...common, secretEncrypted: secret.encrypted, secretNonce: secret.nonce, lastStep };
  }
  const { credentialId, publicKey, counter, transports } = factor;
  return { ...common, credentialId, publicKey, counter, transports };
}
