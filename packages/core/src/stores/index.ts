export type { Stores } from './stores.ts';
