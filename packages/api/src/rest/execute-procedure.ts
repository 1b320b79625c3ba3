import { type AnyTRPCProcedure, TRPCError } from '@trpc/server';
import type * as z from 'zod';
import { admitted, STEPS_OF_ADMISSION } from '../procedure/procedure.ts';
import type { RequestContext } from '../procedure/request-context.ts';
import type { RouteMeta } from '../procedure/route-meta.ts';

/** The steps of a procedure after its admission. */
export interface ProcedureSteps {
  readonly input: z.ZodType | null;
  readonly resolve: (call: { ctx: unknown; input: unknown; signal: AbortSignal; path: string }) => unknown;
  readonly output: z.ZodType | null;
}

/** The members that tRPC keeps of a procedure; its types leave the last three out. */
interface Definition {
  readonly inputs: readonly z.ZodType[];
  readonly output?: z.ZodType;
  readonly resolver: ProcedureSteps['resolve'];
  readonly middlewares: readonly unknown[];
}

/** @throws Error when a procedure has a step that `executeProcedure` would leave out */
export function stepsOf(name: string, procedure: AnyTRPCProcedure): ProcedureSteps {
  const { inputs, output, resolver, middlewares } = procedure._def as unknown as Definition;
  const known = STEPS_OF_ADMISSION + inputs.length + (output === undefined ? 0 : 1) + 1;
  if (inputs.length > 1 || middlewares.length !== known) {
    throw new Error(`The procedure ${name} has a step that REST does not know: add it to execute-procedure.ts.`);
  }
  return { input: inputs[0] ?? null, resolve: resolver, output: output ?? null };
}

interface Callee {
  readonly name: string;
  readonly meta: RouteMeta;
  readonly steps: ProcedureSteps;
}

/**
 * Runs a procedure: admission, input, resolver, output. tRPC's own chain of middlewares does the same, and copies the
 * context of a request at each of them.
 *
 * @param readInput called once the caller is admitted, so that the body of a request that is not admitted is never read
 * @throws TRPCError for an input or output that does not fit its schema; whatever the procedure throws
 */
export async function executeProcedure(
  ctx: RequestContext,
  { name, meta, steps }: Callee,
  readInput: () => Promise<unknown>,
): Promise<unknown> {
  return await admitted(ctx, meta, async (added) => {
    const input =
      steps.input === null ? undefined : fitting(await steps.input.safeParseAsync(await readInput()), 'BAD_REQUEST');
    const output = await steps.resolve({ ctx: { ...ctx, ...(await added()) }, input, signal: ctx.signal, path: name });
    // Output schemas check nothing that takes time, and zod has compiled them for that case.
    return steps.output === null ? output : fitting(steps.output.safeParse(output), 'INTERNAL_SERVER_ERROR');
  });
}

function fitting(parsed: z.ZodSafeParseResult<unknown>, code: TRPCError['code']): unknown {
  if (parsed.success) return parsed.data;
  throw new TRPCError({ code, cause: parsed.error });
}
