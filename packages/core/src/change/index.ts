export type { ChangedFile, JudgedChange } from './changed-file.ts';
export { type Finding, findingSchema, needsApproval, renderFinding } from './finding.ts';
