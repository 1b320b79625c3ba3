import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32; // Standard Webhooks: 24 to 64

/** A new secret: `whsec_` and the base64 of random bytes. */
export function newSigningSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * The headers that sign a delivery, after Standard Webhooks: one signature for each secret, so that a receiver can change
 * from one to the next.
 *
 * @param secrets `whsec_…`, newest first
 */
export function signatureHeaders({
  messageId,
  at,
  body,
  secrets,
}: {
  readonly messageId: string;
  readonly at: Date;
  readonly body: string;
  readonly secrets: readonly string[];
}): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(PREFIX, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  };
}
