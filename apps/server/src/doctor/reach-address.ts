const TIMEOUT_MS = 5_000;

/**
 * Whether a server answers at all; a refusal counts as an answer. No key is sent.
 *
 * @returns why it does not answer, or null
 */
export async function whyUnreachable(address: string): Promise<string | null> {
  try {
    // house-rule(host-names): what the operator has configured
    const { body } = await fetch(address, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { 'User-Agent': 'sluice-doctor' }, // GitHub refuses requests without one
    });
    await body?.cancel();
    return null;
  } catch (error) {
    if (error instanceof DOMException) return `no answer within ${TIMEOUT_MS / 1_000} s`;
    const { cause } = error as { cause?: NodeJS.ErrnoException };
    return cause?.code ?? cause?.message ?? 'unknown reason';
  }
}
