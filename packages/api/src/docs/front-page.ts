import { createHash } from 'node:crypto';
import type { ApiOptions } from '../service/api-deps.ts';

/** What the front page says about a server. */
export interface FrontFacts extends Pick<ApiOptions, 'registration'> {
  /** Where browsers and the command reach the server, without a trailing slash. */
  readonly url: string;
}

const style = `body { max-width: 40rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
pre { padding: 0.75rem 1rem; background: #8881; overflow-x: auto; }`;

/** Allows the page's own style and nothing else. */
export const frontPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Relative, so that they also work behind a proxy that adds a path prefix. */
const links = [
  ['api/docs', 'API documentation', 'to read and to try'],
  ['api/openapi.json', 'OpenAPI document', 'to generate a client'],
  ['api/health/ready', 'Health', 'whether the server can work'],
] as const;

const DOCUMENTATION = 'The documentation is in the folder docs of the source code; docs/README.md lists its pages.';

/** What to do next, and its command. Whether an account exists is not looked up: the page is open to everybody. */
function nextStep({ registration, url }: FrontFacts): { readonly advice: string; readonly command: string } {
  const command = `sluice login --url ${url}`;
  if (registration === 'closed') return { advice: 'Log in with the account that the operator gave you:', command };
  if (registration === 'invite')
    return {
      advice: 'Log in. Accounts are made with the link of an invitation, or with --register by the operator:',
      command,
    };
  const advice =
    registration === 'open'
      ? 'Make an account, or leave out --register to log in with yours:'
      : 'The first account belongs to the operator and is made so; everybody else leaves out --register:';
  return { advice, command: `${command} --register` };
}

/** The front page for browsers. */
export function frontHtml(facts: FrontFacts): string {
  const { advice, command } = nextStep(facts);
  const items = links.map(([path, name, use]) => `<li><a href="${path}">${name}</a>: ${use}</li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sluice</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>Sluice</h1>
<p>This server takes issues on git repositories to tested branches. It was started without the console: use the
command <code>sluice</code>, or the API.</p>
<p>${advice}</p>
<pre>${escaped(command)}</pre>
<ul>
${items.join('\n')}
</ul>
<p>${DOCUMENTATION}</p>
</main>
</body>
</html>
`;
}

/** The same for terminals. */
export function frontText(facts: FrontFacts): string {
  const { advice, command } = nextStep(facts);
  const width = Math.max(...links.map(([, name]) => name.length));
  const lines = links.map(([path, name]) => `${name.padEnd(width)}  ${facts.url}/${path}`);
  return [`Sluice\n\n${advice}\n  ${command}\n`, ...lines, `\n${DOCUMENTATION}\n`].join('\n');
}

/** The same for programs. */
export function frontJson({ url }: FrontFacts): string {
  const [docs, openapi, health] = links.map(([path]) => `${url}/${path}`);
  return JSON.stringify({ name: 'Sluice', docs, openapi, health });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
