import * as z from 'zod';
import type { UserId } from '../id/id.ts';
import type { EncryptedToken } from './token-cipher.ts';

const secondFactorKinds = ['passkey', 'totp'] as const;
export type SecondFactorKind = (typeof secondFactorKinds)[number];

/** What completes a login after the password. */
const secondFactorProofs = [...secondFactorKinds, 'recovery_code'] as const;
export type SecondFactorProof = (typeof secondFactorProofs)[number];

/** Factors of one account: some keys for each of their devices. */
export const MAX_SECOND_FACTORS = 10;
/**
 * The authenticator apps among them: each is another code that a guess may meet. Two, so that a new phone can replace
 * the old one.
 */
export const MAX_TOTP_FACTORS = 2;
/** Recovery codes of an account, each for one login. */
export const RECOVERY_CODES = 10;

export interface NewPasskey {
  readonly kind: 'passkey';
  /** base64url, as the authenticator made it. */
  readonly credentialId: string;
  /** base64url of the COSE key. */
  readonly publicKey: string;
  /** How often the authenticator has signed; 0 where it does not count. */
  readonly counter: number;
  /** Hints for the browser, such as `internal` or `usb`. */
  readonly transports: readonly string[];
}

export interface NewTotp {
  readonly kind: 'totp';
  /** The base32 secret, encrypted for the row. */
  readonly secret: EncryptedToken;
  /** The 30-second step of the last code that was taken; earlier ones and this one are refused. */
  readonly lastStep: number;
}

/** A factor to add. */
export type NewSecondFactor = (NewPasskey | NewTotp) & {
  readonly id: string;
  readonly userId: UserId;
  readonly name: string;
};

/** A passkey or an authenticator app that an account asks for after its password. */
export type SecondFactor = NewSecondFactor & {
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

export const secondFactorWire = z.object({
  id: z.uuid(),
  kind: z.enum(secondFactorKinds).describe('`totp`: an authenticator app that shows codes of six digits.'),
  name: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable().describe('When it last completed a login.'),
});
export type SecondFactorWire = z.infer<typeof secondFactorWire>;

export function toSecondFactorWire({ id, kind, name, createdAt, lastUsedAt }: SecondFactor): SecondFactorWire {
  return {
    id,
    kind,
    name,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}
