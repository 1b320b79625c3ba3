export {
  type AccountLinkPurpose,
  type AccountLinkStore,
  accountLinkMinutes,
  accountLinkPurposes,
  linkEnd,
  mostLinks,
} from './account-link.ts';
export type { AccountMail, AccountMailer, AccountMailResult } from './account-mail.ts';
export { dayBefore, FAILED_LOGIN_DAYS, type FailedLogins } from './failed-logins.ts';
export { hasAccounts } from './has-accounts.ts';
export { loginCodeOf } from './login-code.ts';
export {
  type PreferencesChange,
  preferencesSchema,
  toPreferences,
} from './preferences.ts';
export { requireOperator } from './require-operator.ts';
export {
  MAX_SECOND_FACTORS,
  MAX_TOTP_FACTORS,
  type NewPasskey,
  type NewSecondFactor,
  type NewTotp,
  RECOVERY_CODES,
  type SecondFactor,
  type SecondFactorKind,
  type SecondFactorProof,
  secondFactorWire,
  toSecondFactorWire,
} from './second-factor.ts';
export {
  CHALLENGE_ATTEMPTS,
  type Challenge,
  type ChallengeAttempt,
  CODE_ATTEMPTS,
  CODE_WINDOW_MS,
  type FactorChange,
  type FactorUse,
  type SecondFactorStore,
} from './second-factor-store.ts';
export type { NewSession, SessionStore } from './session-store.ts';
export type {
  LoginGrant,
  LoginWays,
  ProviderSession,
  SignInFlowStore,
} from './sign-in-flows.ts';
export type {
  EncryptedSecret,
  EncryptedSecretStore,
  EncryptedToken,
  PlainSecret,
  TokenCipher,
  TokenOwner,
} from './token-cipher.ts';
export {
  type Session,
  sessionWire,
  toSessionWire,
  toUserProfileWire,
  type User,
  userProfileWire,
} from './user.ts';
export {
  type AccountChange,
  type AccountFilter,
  type AccountState,
  accountStates,
  type ChangeAccountOutcome,
  type EndingAudit,
  type NewUser,
  type UserAccount,
  type UserStore,
} from './user-store.ts';
