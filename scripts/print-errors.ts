import { exitCodeByKind } from '../apps/cli/src/terminal/exit-code.ts';
import { httpStatusByKind, publicCodes, statusOf } from '../packages/api/src/error/public-error.ts';
import { type ErrorCode, errorCatalog } from '../packages/core/src/error/error-catalog.ts';
import { errorRemedies } from '../packages/core/src/error/error-remedies.ts';
import { printTable } from './print-table.ts';

const codes = Object.entries(errorCatalog) as [ErrorCode, (typeof errorCatalog)[ErrorCode]][];

/** Renders `docs/errors.md`: every code of the catalogue with its HTTP status, its exit code and its remedy. */
export function printErrorsPage(): string {
  const answered = codes.filter(([, { kind }]) => kind !== 'pipeline');
  const ofTransport = publicCodes.filter((code) => !(code in errorCatalog));
  const ofPipelines = codes.filter(([, { kind }]) => kind === 'pipeline');
  return `<!-- Generated from packages/core/src/error/ by "npm run gen". -->

# Errors

Every error response is JSON with at least \`detail\` (a sentence for people) and \`code\` (a stable word for programs).
\`errors\` lists invalid fields, \`request_id\` identifies the request in the server's log, and some codes have further members.
tRPC has the same object under \`error.data.error\`. Programs should use \`code\`: many codes share a status, and sentences change.
[openapi.json](openapi.json) lists the codes that each operation can give. Clients that accept \`application/problem+json\` get the
members of RFC 9457 as well.

## Responses

*exit* is the [exit code of the command](exit-codes.md). *retry* marks errors that may go away without any action, so the same
request may succeed later. A \`POST\` is safe to repeat [with an \`Idempotency-Key\`](script-it.md#retry-safely).

${printTable(
  ['code', 'status', 'exit', 'retry', 'meaning', 'what to do'],
  answered.map(([code, { kind, retry, message }]) => [
    `\`${code}\``,
    String(httpStatusByKind[kind]),
    String(exitCodeByKind[kind]),
    retry ? 'yes' : '',
    message,
    errorRemedies[code],
  ]),
)}

A request that is not valid HTTP, or does not arrive in time, is refused without a \`request_id\`:
${ofTransport.map((code) => `\`${code}\` (${statusOf(code)})`).join(', ')}.

## Why an issue fails

These errors end a stage. They are never the response to a request. Their sentence is in the issue's \`error\`, in
\`stage.failed\` and in the output of \`sluice issues show\`, and their code is in the server's log. The same is true of the errors
above that are marked *retry*.

The worker retries a stage with an error marked *retry* a few times, with backoff. After that, or without the mark, the issue
is \`failed\`, and the command that follows it exits with ${exitCodeByKind.pipeline}. \`sluice issues retry\` continues at the failed stage.

${printTable(
  ['code', 'retry', 'meaning', 'what to do'],
  ofPipelines.map(([code, { retry, message }]) => [`\`${code}\``, retry ? 'yes' : '', message, errorRemedies[code]]),
)}
`;
}
