import { decode, encode } from '@auth/core/jwt';
import type { SessionId } from '@sluice/core';
import * as z from 'zod';

/** How long a person may take at the code host. */
export const FLOW_TTL_MS = 600_000;
const MAX_TOKEN_LENGTH = 4_000; // of a stranger's; ours have some 600 characters

/** What travels through the code host and back, in `state`. Nobody between can read or change it. */
export interface FlowState {
  readonly nonce: string;
  readonly purpose: 'browser' | 'program';
  /** The session that the flow was begun in: it links an account to that session's user. Null: it logs in. */
  readonly sessionId: SessionId | null;
  readonly endsAt: Date;
}

/** Where a program on the user's own machine waits for its login. */
export interface ProgramReturn {
  readonly port: number;
  /** Base64url of the SHA-256 of the program's verifier. */
  readonly challenge: string;
  readonly state: string;
}

/** What stays in the browser meanwhile, in a cookie. */
export interface FlowSecret {
  readonly nonce: string;
  /** PKCE's. */
  readonly verifier: string;
  /** Where the flow's purpose is a program. */
  readonly program: ProgramReturn | null;
}

/** Makes and reads the encrypted tokens of a sign-in. What was not made here, or for the other place, is null. */
export interface FlowTokens {
  sealState(state: FlowState): Promise<string>;
  openState(token: string | null): Promise<FlowState | null>;
  sealSecret(secret: FlowSecret): Promise<string>;
  openSecret(token: string | null): Promise<FlowSecret | null>;
  /** Which program a page asked a person about, on its way back from that page. */
  sealProgram(program: ProgramReturn): Promise<string>;
  openProgram(token: string): Promise<ProgramReturn | null>;
}

// Keys of their own, by HKDF: a session's cookie is no state, and a state no flow's cookie.
const STATE = 'sluice codehost state';
const SECRET = 'sluice codehost flow';
const PROGRAM = 'sluice program that asks';

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

export function createFlowTokens(sessionSecret: Uint8Array): FlowTokens {
  const secret = Buffer.from(sessionSecret).toString('base64url');
  const seal = (salt: string, token: object) =>
    encode({ token: { ...token }, secret, salt, maxAge: FLOW_TTL_MS / 1_000 });
  const open = async <T>(salt: string, token: string | null, schema: z.ZodType<T>): Promise<T | null> => {
    if (token === null || token === '' || token.length > MAX_TOKEN_LENGTH) return null;
    // Whatever is wrong with a stranger's token, it is none of ours.
    const claims = await decode({ token, secret, salt }).catch(() => null);
    return schema.safeParse(claims).data ?? null;
  };
  return {
    sealState: (state) => seal(STATE, { ...state, endsAt: state.endsAt.toISOString() }),
    openState: (token) => open(STATE, token, stateSchema),
    sealSecret: (flow) => seal(SECRET, flow),
    openSecret: (token) => open(SECRET, token, secretSchema),
    sealProgram: (program) => seal(PROGRAM, program),
    openProgram: (token) => open(PROGRAM, token, programSchema),
  };
}
