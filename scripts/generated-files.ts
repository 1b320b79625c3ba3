// Every generated file. `npm run gen` writes them, and `npm run check` fails if one is stale. To add one, write a function
// that returns path -> text, and add a line to this list.
import { readFileSync } from 'node:fs';
import { printConfigurationPage, printEnvExample } from '../apps/server/src/config/print-configuration.ts';
import { printMetricsPage } from '../apps/server/src/observability/metrics/print-metrics.ts';
import { openApiDocument } from '../packages/api/src/index.ts';
import { printSchemas } from '../packages/db/src/print-schemas.ts';
import { printEndpointsPage } from './print-endpoints.ts';
import { printErrorsPage } from './print-errors.ts';
import { printEventsPage } from './print-events.ts';
import { printExitCodesPage } from './print-exit-codes.ts';
import { printGuardedFilesPage } from './print-guarded-files.ts';
import { printIssueMachine } from './print-issue-machine.ts';
import { printJson } from './print-json.ts';
import { printShownFiles } from './print-shown-files.ts';
import { printSignaturesPage } from './print-signatures.ts';

export interface Generator {
  readonly name: string;
  /** The current text of each file, by its path from the root. */
  readonly print: () => Promise<Record<string, string>>;
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

export const generators: readonly Generator[] = [
  { name: 'the chart of the issue machine', print: async () => ({ 'docs/issue-machine.md': printIssueMachine() }) },
  { name: 'the database schemas', print: printSchemas },
  {
    name: 'the configuration',
    print: async () => ({ '.env.example': printEnvExample(), 'docs/configuration.md': printConfigurationPage() }),
  },
  { name: 'the metrics', print: async () => ({ 'docs/metrics.md': printMetricsPage() }) },
  { name: 'the errors', print: async () => ({ 'docs/errors.md': printErrorsPage() }) },
  { name: 'the exit codes', print: async () => ({ 'docs/exit-codes.md': printExitCodesPage() }) },
  { name: 'the events', print: async () => ({ 'docs/events.md': printEventsPage() }) },
  { name: 'the guarded files', print: async () => ({ 'docs/guarded-files.md': printGuardedFilesPage() }) },
  { name: 'the endpoints', print: async () => ({ 'docs/endpoints.md': printEndpointsPage() }) },
  { name: 'the signatures', print: async () => ({ 'docs/signatures.md': printSignaturesPage() }) },
  { name: 'the text of files that pages show', print: async () => printShownFiles() },
  {
    name: 'the OpenAPI document',
    // The document, its paths, a path: its operations have a line each, and so has each schema.
    print: async () => ({ 'docs/openapi.json': printJson(openApiDocument({ version }), 3) }),
  },
];
