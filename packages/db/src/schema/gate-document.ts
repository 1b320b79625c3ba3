import { ANY_APPROVER, type Gate, gateApprovals } from '@sluice/core/pipeline';

/** Members that gates of earlier releases lack: what they are bound to, and what approving takes. */
const LATER = {
  ...{ plan_hash: null, base_commit: null, head_commit: null },
  ...gateApprovals(ANY_APPROVER),
};

/** A gate as the column `issues.gate` holds it, which may have been written by an earlier release. */
export type GateDocument = Omit<Gate, keyof typeof LATER> & Partial<Pick<Gate, keyof typeof LATER>>;

export function toGate(stored: GateDocument | null): Gate | null {
  return stored === null ? null : { ...LATER, ...stored };
}
