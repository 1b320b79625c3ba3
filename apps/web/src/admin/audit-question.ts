import type { AuditSearch } from '../session/search-params.ts';
import { auditActions, type OperatorAuditAction } from './operator-audit-sentence.ts';

export interface AuditQuestion {
  readonly user_id?: string;
  readonly action?: OperatorAuditAction;
  readonly from?: string;
  readonly to?: string;
}

const DAY_MS = 86_400_000;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The query that the address of the page stands for. Values that the server would refuse are left out. */
export function auditQuestion({ user, action, from, to }: AuditSearch): AuditQuestion {
  const known = auditActions.find((one) => one === action);
  return {
    ...(user !== undefined && isUserId(user) && { user_id: user }),
    ...(known !== undefined && { action: known }),
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    // The whole day, and the server takes what is before a time.
    ...(to !== undefined && { to: new Date(Date.parse(to) + DAY_MS).toISOString() }),
  };
}

export function isUserId(text: string): boolean {
  return ID.test(text);
}
