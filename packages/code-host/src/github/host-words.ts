import { scrub } from '@sluice/core';
import { z } from 'zod';

const LONGEST = 300; // a sentence or two for a person

const fault = z.union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)]);
const saidShape = z.object({ message: z.string(), errors: z.array(z.unknown()).optional() });

/** The host's own sentence in an answer that refuses, without the token; null where it has none (e.g. a proxy's page). */
export function hostWords(data: unknown, token: string): string | null {
  const said = saidShape.safeParse(data);
  if (!said.success) return null;
  const faults = (said.data.errors ?? []).flatMap((error) => fault.safeParse(error).data ?? []);
  const text = [said.data.message, ...faults].join(': ').replace(/\s+/g, ' ');
  const plain = scrub(text, [token])
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  if (plain === '') return null;
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST)}…` : plain;
}
