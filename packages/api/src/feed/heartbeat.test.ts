import { newId } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHeartbeat, HEARTBEAT_MS } from './heartbeat.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the heartbeat', () => {
  it('beats once per interval for each, for one subject all at once, and for a thousand subjects a few at a time', () => {
    const heartbeat = createHeartbeat();
    const subjects = Array.from({ length: 1_000 }, () => newId());
    let beaten: string[] = [];
    const stops = [...subjects, ...subjects].map((subject) => heartbeat.onBeat(subject, () => beaten.push(subject)));
    const all: string[] = [];
    let most = 0;
    for (let time = 0; time < HEARTBEAT_MS; time += 10) {
      beaten = [];
      vi.advanceTimersByTime(10);
      for (const subject of beaten) expect(beaten.filter((other) => other === subject)).toHaveLength(2);
      most = Math.max(most, new Set(beaten).size);
      all.push(...beaten);
    }
    expect(all.sort()).toEqual([...subjects, ...subjects].sort());
    expect(most).toBeLessThan(60);
    for (const stop of stops) stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
