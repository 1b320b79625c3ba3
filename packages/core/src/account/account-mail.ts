/** An e-mail about an account. */
export type AccountMail =
  | { readonly kind: 'password_reset'; readonly url: string; readonly minutes: number }
  | { readonly kind: 'password_changed'; readonly url: string }
  | { readonly kind: 'email_verification'; readonly url: string; readonly hours: number }
  /** To the previous address. */
  | { readonly kind: 'email_changed'; readonly url: string }
  | { readonly kind: 'account_deleted'; readonly url: string }
  /** To somebody without an account. */
  | {
      readonly kind: 'invitation';
      readonly url: string;
      readonly days: number;
      /** The person who invites. */
      readonly inviter: string;
      /** The server or the repository. */
      readonly place: string;
    };

export type AccountMailResult =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly reason: string; readonly canRetry: boolean };

/** Sends e-mails about accounts. Whatever goes wrong outside is a result, not an error. */
export interface AccountMailer {
  /** @throws the signal's reason when it fires first */
  send(to: string, mail: AccountMail, signal: AbortSignal): Promise<AccountMailResult>;
  close(): void;
}
