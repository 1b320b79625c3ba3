import { decode, encode } from '@auth/core/jwt';
import type { SessionId } from '@sluice/core/id';
import * as z from 'zod';

/** The time that a person has to sign in at another service. */
export const FLOW_TTL_MS = 600_000;
const MAX_TOKEN_LENGTH = 4_000; // ours have some 600 characters

/** The half of a flow that travels through the other service and back in `state`, encrypted. */
export interface FlowState {
  readonly nonce: string;
  readonly purpose: 'browser' | 'program';
  /** The session that the flow was begun in: it links an account to that session's user. Null: it logs in. */
  readonly sessionId: SessionId | null;
  readonly endsAt: Date;
}

/** Where a program on the user's machine waits for its login. */
export interface ProgramReturn {
  readonly port: number;
  /** Base64url of the SHA-256 of the program's verifier. */
  readonly challenge: string;
  readonly state: string;
}

/** The half of a flow that stays in the browser, in a cookie. */
export interface FlowSecret {
  readonly nonce: string;
  /** The PKCE code verifier. */
  readonly verifier: string;
  /** Set where the purpose of the flow is a program. */
  readonly program: ProgramReturn | null;
}

/** Makes and reads the encrypted tokens of a sign-in. A foreign token, or one made for another place, is null. */
export interface FlowTokens {
  sealState(state: FlowState): Promise<string>;
  openState(token: string | null): Promise<FlowState | null>;
  sealSecret(secret: FlowSecret): Promise<string>;
  openSecret(token: string | null): Promise<FlowSecret | null>;
  /** The program that a confirmation page asks about, for the way back from that page. */
  sealProgram(program: ProgramReturn): Promise<string>;
  openProgram(token: string): Promise<ProgramReturn | null>;
}

const stateSchema = z.object({
  nonce: z.string(),
  purpose: z.enum(['browser', 'program']),
  sessionId: z
    .string()
    .transform((id) => id as SessionId)
    .nullable(),
  endsAt: z.iso.datetime().transform((time) => new Date(time)),
});

const programSchema = z.object({ port: z.int(), challenge: z.string(), state: z.string() });

const secretSchema = z.object({ nonce: z.string(), verifier: z.string(), program: programSchema.nullable() });

/**
 * Creates the sealing and opening of the tokens of a sign-in.
 *
 * @param service where users sign in; its tokens are of no use for another one
 */
export function createFlowTokens(sessionSecret: Uint8Array, service: string): FlowTokens {
  // Separate keys by HKDF, so that no token is accepted in the place of another.
  const stateSalt = `sluice ${service} state`;
  const secretSalt = `sluice ${service} flow`;
  const programSalt = `sluice ${service} program that asks`;
  const secret = Buffer.from(sessionSecret).toString('base64url');
  const seal = (salt: string, token: object) =>
    encode({ token: { ...token }, secret, salt, maxAge: FLOW_TTL_MS / 1_000 });
  const open = async <T>(salt: string, token: string | null, schema: z.ZodType<T>): Promise<T | null> => {
    if (token === null || token === '' || token.length > MAX_TOKEN_LENGTH) return null;
    // Whatever is wrong with the token, it is not ours.
    const claims = await decode({ token, secret, salt }).catch(() => null);
    return schema.safeParse(claims).data ?? null;
  };
  return {
    sealState: (state) => seal(stateSalt, { ...state, endsAt: state.endsAt.toISOString() }),
    openState: (token) => open(stateSalt, token, stateSchema),
    sealSecret: (flow) => seal(secretSalt, flow),
    openSecret: (token) => open(secretSalt, token, secretSchema),
    sealProgram: (program) => seal(programSalt, program),
    openProgram: (token) => open(programSalt, token, programSchema),
  };
}
