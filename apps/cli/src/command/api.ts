import type { Command } from 'commander';
import { exitCode, type Finish } from '../terminal/exit-code.ts';
import { addCommand, repeated } from './add-command.ts';
import type { ApiOptions } from './call-api.ts';
import { URL_OPTION } from './remote-command.ts';

const NOTES = `The method is GET, or POST with fields or a body. With GET, HEAD and DELETE, and beside --input, the fields are the query. The
answer is printed to stdout, also when it is an error; the exit code tells. An event stream is printed as one event a
line until it ends or Ctrl-C. The endpoints are listed in docs/endpoints.md, and with --url URL at URL/api/docs.
`;

export function addApiCommand(program: Command, finish: Finish): void {
  addCommand(program, 'api', {
    description: 'send a request to any endpoint of the server, with your session',
    examples: [
      'sluice api "/issues?status=failed" --jq ".items[].title"',
      'sluice api issues --paginate --jq ".items[].id"',
      "sluice api POST issues/$id/messages -f text='Use the helper.'",
      "sluice api PATCH repos/$id -F 'settings[setup_network]=true'",
      'sluice api issues/$id/events                    one event a line, as JSON',
    ],
    notes: NOTES,
  })
    .argument('<method-or-path>', 'method, or the path: with or without /api/ before it')
    .argument('[path]', 'path, after a method')
    .option(...URL_OPTION)
    .option('-X, --method <method>', 'method of the request')
    .option('-f, --raw-field <key=value>', 'a field with a string; can be repeated', repeated)
    .option('-F, --field <key=value>', 'the same with true, false, null, an integer, a string, or @FILE', repeated)
    .option('-H, --header <name:value>', 'a header of the request; can be repeated', repeated)
    .option('--input <file>', 'file with the body, or - for standard input')
    .option('--paginate', 'fetch every page, and print one a line')
    .option('-i, --include', 'print the status and the headers first')
    .option('-q, --jq <expression>', 'print what this jq expression selects from the JSON')
    .action(async (first: string, second: string | undefined, options: ApiOptions) => {
      const { callApi } = await import('./call-api.ts');
      await callApi(second === undefined ? { path: first } : { path: second, method: first }, options);
      finish(exitCode.done);
    });
}
