/** The answer to a call that had begun when the process died, where running it again could do harm. */
export const RESTARTED = 'The service restarted while this ran; check before repeating.';
