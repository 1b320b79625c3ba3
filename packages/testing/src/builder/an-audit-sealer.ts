import {
  type AuditHead,
  type AuditHeadKeeper,
  type AuditKeys,
  type AuditSealer,
  type AuditSealerDeps,
  type AuditSealStore,
  createAuditSealer,
} from '@sluice/core/audit';
import { settableClock } from './settable-clock.ts';

const keyOf = (id: string) => ({ id, secret: Buffer.from(`the secret of ${id}`) });

/** Keys for seals; the first makes new ones. */
export function auditKeys(first: string, ...others: readonly string[]): AuditKeys {
  return {
    current: keyOf(first),
    find: (id) => (id === first || others.includes(id) ? keyOf(id) : null),
  };
}

/** Keeps a head in memory. */
export function keptAuditHead(kept: AuditHead | null = null): AuditHeadKeeper {
  let head = kept;
  return {
    read: async () => head,
    write: async (newer) => {
      head = newer;
    },
  };
}

/** A sealer with the reasons for which it refused. */
export function anAuditSealer(
  store: AuditSealStore,
  parts: Partial<AuditSealerDeps> = {},
): AuditSealer & { readonly deps: AuditSealerDeps; readonly refused: readonly string[] } {
  const refused: string[] = [];
  const deps: AuditSealerDeps = {
    store,
    heads: keptAuditHead(),
    keys: auditKeys('k1'),
    clock: settableClock(),
    onSealed: () => undefined,
    onRefused: (why) => void refused.push(why),
    ...parts,
  };
  return { ...createAuditSealer(deps), deps, refused };
}
