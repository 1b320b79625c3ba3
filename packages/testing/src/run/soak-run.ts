/**
 * Whether this is the soak run (`npm run soak`): an exhaustive test then tries every case, and a sample of them in
 * `npm test`.
 */
export const isSoakRun = process.env.SLUICE_SOAK === '1';
