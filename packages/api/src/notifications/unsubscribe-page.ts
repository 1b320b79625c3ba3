import { createHash } from 'node:crypto';

const style = `:root { color-scheme: light dark; }
body { max-width: 34rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
button { font: inherit; padding: 0.5rem 1rem; }`;

/** Allows the page's own style and button, and no framing, so that people see what they click. */
export const unsubscribePageHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    'img-src data:', // the empty icon
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // The address is the permission: no other site may learn it.
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
} as const;

/** Asks before anything changes: programs that check the links of an e-mail open them too. */
export const askingPage = page(
  'Turn these e-mails off?',
  `<p>Sluice then sends you no e-mail when an issue needs you. You can turn them on again in the settings.</p>
<form method="post"><button>Turn the e-mails off</button></form>`,
);

/** The page after the e-mails were turned off. @param settings the address of the settings in the console */
export function donePage(settings: string): string {
  return page(
    'The e-mails are off',
    `<p>Sluice sends you no e-mail any more. You can turn them on again in the <a href="${settings}">settings</a>.</p>`,
  );
}

/** The page for a link that is not valid. @param settings the address of the settings in the console */
export function refusedPage(settings: string): string {
  return page(
    'This link is not valid',
    `<p>It is incomplete, or has expired. Nothing was changed. Log in and turn the e-mails off in the
<a href="${settings}">settings</a>.</p>`,
  );
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Sluice</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
}
