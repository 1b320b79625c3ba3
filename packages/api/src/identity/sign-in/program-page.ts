import { createHash } from 'node:crypto';

/** A program that asks to be logged in. */
export interface AskingProgram {
  readonly code: string;
  readonly confirm_url: string;
}

const style = `:root { color-scheme: light dark; }
body { max-width: 34rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
output { display: block; font: 700 2rem/2 ui-monospace, monospace; letter-spacing: 0.1em; }
button { font: inherit; padding: 0.5rem 1rem; }`;

/**
 * Allows the page's own style and no framing, so that people see what they click. No `form-action`: browsers apply it to
 * every redirect that follows, and a code host may redirect anywhere. Not `no-referrer`: the click must carry the page's
 * origin, which is checked.
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

/** How the command was called, and with which account it logs in. */
export interface AskingCommand {
  readonly option: string;
  readonly account: string;
}

/** Asks users whether the program that wants to be logged in is theirs. All values are generated here. */
export function programPage({ code, confirm_url }: AskingProgram, { option, account }: AskingCommand): string {
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
<p>The command <code>sluice login ${option}</code> on this machine asks to be logged in at ${new URL(confirm_url).host} as
you, with ${account}. Your terminal shows this code:</p>
<output>${code}</output>
<form method="post" action="${confirm_url}"><button>My terminal shows this code: continue</button></form>
<p>If it shows another code, or you have not just run that command, close this page. Otherwise someone else would be
logged in as you.</p>
</main>
</body>
</html>
`;
}
