import { createHash } from 'node:crypto';

/** What a person is asked about a program. */
export interface AskingProgram {
  readonly code: string;
  readonly confirm_url: string;
}

const style = `body { max-width: 34rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
output { display: block; font: 700 2rem/2 ui-monospace, monospace; letter-spacing: 0.1em; }
button { font: inherit; padding: 0.5rem 1rem; }`;

/**
 * Nothing but its own style, and in no other page: what is clicked is what is seen. No `form-action`: browsers hold it
 * against every redirect that follows, and where a code host sends people to is its affair. The page's origin must go with
 * the click, as by that it is known; by `no-referrer` it would not.
 */
export const programPageHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'strict-origin',
  'X-Frame-Options': 'DENY',
} as const;

/** Asks a person whether it is his own program that wants to be logged in. Both values are of our making. */
export function programPage({ code, confirm_url }: AskingProgram): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Log a command in? · Sluice</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>Log a command in?</h1>
<p>The command <code>sluice login --codehost</code> on this machine asks to be logged in at ${new URL(confirm_url).host} as
you, by your account at the code host. Its terminal shows this code:</p>
<output>${code}</output>
<form method="post" action="${confirm_url}"><button>My terminal shows this code: go on</button></form>
<p>If it shows another one, or you have not just run that command, close this page: somebody else would be logged in as
you.</p>
</main>
</body>
</html>
`;
}
