const LONGEST_MS = 5_000;

/**
 * Whether a server answers at all: any answer will do, also a refusal. It is asked without a key.
 *
 * @returns why it does not, or null
 */
export async function whyUnreachable(address: string): Promise<string | null> {
  try {
    const { body } = await fetch(address, {
      redirect: 'manual',
      signal: AbortSignal.timeout(LONGEST_MS),
      headers: { 'User-Agent': 'sluice-doctor' }, // the code host answers nobody without a name
    });
    await body?.cancel();
    return null;
  } catch (error) {
    if (error instanceof DOMException) return `nothing within ${LONGEST_MS / 1_000} s`;
    const { cause } = error as { cause?: NodeJS.ErrnoException };
    return cause?.code ?? cause?.message ?? 'unknown reason';
  }
}
