import type { MassRow } from './mass.ts';
export const massTable: Readonly<Record<string, MassRow>> = {};
