import * as z from "zod";
import { toBase64 } from "../../durable/runtime/base64.ts";
import { driverId, MINUTE_MS } from "../../db/shapes/units.ts";
import { createKeys } from "../../durable/runtime/keys.ts";
import type { PlatformTokens, RefreshTokensResult } from "../../durable/platform/results.ts";
import { createTokenManager } from "../../durable/platform/token-manager.ts";
import { NOW } from "./harness.ts";

export const HOUR_MS = 60 * MINUTE_MS;
export const OLD_KEY = `k1:${toBase64(new Uint8Array(32).fill(1))}`;
export const NEW_KEY = `k2:${toBase64(new Uint8Array(32).fill(2))}`;
export const tokenPair = (n: number, expiresInMs = HOUR_MS) => ({
  accessToken: `at-${n}`,
  refreshToken: `rt-${n}`,
  expiresInMs,
});
export const freshTokens = (n: number): RefreshTokensResult => ({ kind: "tokens", tokens: tokenPair(n) });
export const tokenResult = (n: number) => ({ kind: "token", token: `at-${n}` });

/** Storage, clock and scripted refreshes. They outlive the token managers made from them, as the object's storage does. */
export function createTokenHarness() {
  let sealed: string | null = null;
  const sentRefreshTokens: string[] = [];
  const script: (RefreshTokensResult | Promise<RefreshTokensResult>)[] = [];
  const clock = { now: NOW };
  const wait: { until: number | null } = { until: null };
  /** The pauses under way; each ends when it is told to. */
  const pauses: { lengthMs: number; end: () => void }[] = [];
  const store = {
    load: () => sealed,
    save: (value: string | null) => {
      sealed = value;
    },
    setAside: () => {
      sealed = null;
    },
  };
  const createManager = ({
    driver = "driver-1",
    masterKeys = OLD_KEY,
    keys = createKeys(masterKeys),
  } = {}) => {
    const manager = createTokenManager({
      inBackground: (work) => work(),
      sleep: (lengthMs) => new Promise((end) => pauses.push({ lengthMs, end })),
      driverId: z.parse(driverId, driver),
      keys,
      store,
      now: () => clock.now,
      waitsUntil: () => (wait.until !== null && wait.until > clock.now ? wait.until : null),
      refresh: async (refreshToken) => {
        sentRefreshTokens.push(refreshToken);
        const answer = script.shift();
        if (!answer) throw new Error("unexpected refresh");
        return answer;
      },
    });
    const replace = async (tokens: PlatformTokens) => manager.adopt(await manager.seal(tokens));
    return { ...manager, replace };
  };
  return { clock, wait, pauses, createManager, script, sentRefreshTokens, store };
}

/** Waits until a background refresh has had its effect. */
export async function waitForChange(read: () => unknown, before: unknown): Promise<void> {
  while (read() === before) await new Promise((resolve) => setImmediate(resolve));
}
