/** Whom to tell of a vulnerability of an installation: what its operator has configured. */
export interface SecurityContact {
  /** `mailto:`, `https:` or `tel:` addresses, the preferred one first. Never empty. */
  readonly contacts: readonly string[];
  /** The page with the operator's policy for reports. */
  readonly policy: string | null;
  /** Language tags, the preferred one first. */
  readonly languages: readonly string[];
}
