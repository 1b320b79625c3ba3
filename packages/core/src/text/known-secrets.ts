/** Credentials that are known by their look. */
const secrets: readonly (readonly [string, RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----/],
  // The one that AWS prints in its documents, which tests copy, ends so.
  ['an AWS access key', /\b(?:AKIA|ASIA)(?![0-9A-Z]{9}EXAMPLE\b)[0-9A-Z]{16}\b/],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})\b/],
  ['a GitLab token', /\bglpat-[\w-]{20,}/],
  ['a Slack token', /\bxox[abprs]-[\w-]{10,}/],
  ['a Stripe key', /\b[rs]k_live_[A-Za-z0-9]{20,}\b/],
  ['a Google API key', /\bAIza[\w-]{35}(?![\w-])/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a PyPI token', /\bpypi-AgEIcHlwaS5vcmc[\w-]{50,}/],
  ['a SendGrid key', /\bSG\.[\w-]{22}\.[\w-]{43}(?![\w-])/],
  ['a model provider key', /\bsk-(?:ant-|proj-|or-)[\w-]{20,}/],
];

/** The kinds of secrets that a text seems to contain, e.g. `a GitHub token`; never the secret itself. */
export function secretsIn(text: string): string[] {
  return secrets.filter(([, look]) => look.test(text)).map(([name]) => name);
}

/** A text that may be shown: what looks like a secret in it is replaced by what it looks like. */
export function withoutSecrets(text: string): string {
  return secrets.reduce((shown, [name, look]) => shown.replaceAll(new RegExp(look, 'g'), `[${name}]`), text);
}
