import { client } from '../session/client.ts';

interface Act {
  readonly label: string;
  readonly question: string;
  /** The effect of the act, after the name of the user. */
  readonly effect: string;
  readonly confirm: string;
  readonly tone?: 'danger';
  run(user_id: string): Promise<unknown>;
}

/** What an operator can do about a user, each after a question. */
export const userActs = {
  end_sessions: {
    label: 'End sessions',
    question: 'End all sessions of this user?',
    effect: 'their browsers and programs are logged out. They can log in again.',
    confirm: 'End them',
    run: (user_id) => client.admin.endUserSessions.mutate({ user_id }),
  },
  remove_factors: {
    label: 'Remove second factors',
    question: 'Remove the second factors of this user?',
    effect:
      'their passkeys, authenticator apps and recovery codes are removed, and their sessions end. The password stays.',
    confirm: 'Remove them',
    tone: 'danger',
    run: (user_id) => client.admin.removeUserSecondFactors.mutate({ user_id }),
  },
  grant_operator: {
    label: 'Make operator',
    question: 'Make this user an operator?',
    effect: 'they see the whole server, manage its users, and may register folders of its machine.',
    confirm: 'Make them an operator',
    run: (user_id) => client.admin.updateUser.mutate({ user_id, operator: true }),
  },
  revoke_operator: {
    label: 'Remove as operator',
    question: 'Make this operator an ordinary user?',
    effect: 'they no longer see the server as a whole.',
    confirm: 'Remove as operator',
    run: (user_id) => client.admin.updateUser.mutate({ user_id, operator: false }),
  },
  disable: {
    label: 'Disable',
    question: 'Disable this user?',
    effect:
      'their sessions end, they cannot log in, their API tokens are refused, and their issues that have not ended are cancelled.',
    confirm: 'Disable them',
    tone: 'danger',
    run: (user_id) => client.admin.updateUser.mutate({ user_id, disabled: true }),
  },
  enable: {
    label: 'Enable',
    question: 'Enable this user again?',
    effect: 'they can log in again, and their API tokens work. Issues that were cancelled stay cancelled.',
    confirm: 'Enable them',
    run: (user_id) => client.admin.updateUser.mutate({ user_id, disabled: false }),
  },
} as const satisfies Record<string, Act>;
export type UserAct = keyof typeof userActs;
