export type { CodeHostIndex, CodeHostOrigin } from './code-host-index.ts';
export { importIssue } from './import-issue.ts';
export { importedText } from './imported-text.ts';
