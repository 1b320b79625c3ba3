import { type AuditHead, type AuditSealer, type AuditSealerDeps, createAuditSealer, headOf } from '@sluice/core/audit';
import type { Logger } from 'pino';

const REPEATED_MS = 3_600_000; // often enough to be seen, and it is written every few seconds otherwise

/** Seals the audit log of a server. The head of each seal goes into the log as well, which is usually kept elsewhere. */
export function openAuditSealer({
  log,
  onSealed,
  ...deps
}: Omit<AuditSealerDeps, 'onRefused' | 'onSealed'> & {
  readonly log: Logger;
  readonly onSealed: (head: AuditHead) => void;
}): AuditSealer {
  let refusal: { readonly why: string; readonly at: number } | null = null;
  return createAuditSealer({
    ...deps,
    onSealed: (seal) => {
      refusal = null;
      const head = headOf(seal);
      onSealed(head);
      log.info({ audit_head: head }, 'sealed the audit log');
    },
    onRefused: (why) => {
      const at = deps.clock.now().getTime();
      if (refusal?.why === why && at - refusal.at < REPEATED_MS) return;
      refusal = { why, at };
      log.error(why);
    },
  });
}
