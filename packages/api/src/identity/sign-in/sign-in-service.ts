import type { FlowService } from './flow-cookie.ts';

/** A service at which users sign in. */
export interface SignInService {
  /** Whose cookies the flows are in. */
  readonly service: FlowService;
  /** The purpose of its sealed tokens: those of one service are not valid for another. */
  readonly sealedFor: string;
  /** The refusal of a flow that is not valid. */
  readonly invalid: 'codehost_state_invalid' | 'oidc_state_invalid';
  /** The name that people read: `the code host`. */
  readonly label: string;
}

export const codeHostService: SignInService = {
  service: 'codehost',
  sealedFor: 'codehost',
  invalid: 'codehost_state_invalid',
  label: 'the code host',
};

export function oidcService({ id, name }: { readonly id: string; readonly name: string }): SignInService {
  return { service: 'oidc', sealedFor: `oidc ${id}`, invalid: 'oidc_state_invalid', label: name };
}
