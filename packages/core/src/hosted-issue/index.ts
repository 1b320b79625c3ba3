export type { CodeHostIndex, CodeHostOrigin } from './code-host-index.ts';
export { type ImportIssueContext, importIssue } from './import-issue.ts';
export { type ImportedText, importedText } from './imported-text.ts';
