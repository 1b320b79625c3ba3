export {
  type AuditAct,
  type AuditAction,
  type AuditActor,
  type AuditEntry,
  type AuditedAction,
  auditActions,
  auditCatalog,
  auditEntryWire,
  type InstallationAct,
  type InstallationEntry,
  type NewAuditEntry,
  toAuditEntryWire,
} from './audit-catalog.ts';
export type { AuditStore, Numbered } from './audit-entry.ts';
export { type Audited, auditEntry, type Initiator, type WrittenWith } from './audit-entry.ts';
export { type AuditHead, type AuditHeadKeeper, auditHead, headOf } from './audit-head.ts';
export { type AuditFilter, matchesAudit, parseAuditLine, printAuditLine } from './audit-line.ts';
export {
  auditedActions,
  type OperatorAuditEntryWire,
  operatorAuditEntryWire,
  toOperatorAuditEntryWire,
} from './audit-of-all.ts';
export type { AuditKeys, AuditRow, AuditSealStore } from './audit-seal.ts';
export { type AuditSealer, type AuditSealerDeps, acknowledgeAudit, createAuditSealer } from './audit-sealer.ts';
export type { AuditFinding } from './audit-verifier.ts';
export { type AuditRecord, auditRecords, verifyAudit } from './verify-audit.ts';
