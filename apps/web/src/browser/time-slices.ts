const SLICE_MS = 8; // half a frame: what the reader does comes between

/** Runs steps in slices, so that the page answers in between. Ends early when aborted. */
export async function inSlices(steps: Iterator<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end) if (steps.next().done === true) return;
    await new Promise((resolve) => setTimeout(resolve));
  }
}
