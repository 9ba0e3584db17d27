import * as z from "zod";
import { toBase64 } from "../../durable/base64.ts";
import { driverId, MINUTE_MS } from "../../durable/engine/units.ts";
import { createKeys } from "../../durable/keys.ts";
import type { RefreshAnswer } from "../../durable/platform/answers.ts";
import { createTokenKeeper } from "../../durable/platform/tokens.ts";
import { NOW } from "./stage.ts";

export const HOUR_MS = 60 * MINUTE_MS;
export const OLD_KEY = `k1:${toBase64(new Uint8Array(32).fill(1))}`;
export const NEW_KEY = `k2:${toBase64(new Uint8Array(32).fill(2))}`;
export const pair = (n: number, expiresInMs = HOUR_MS) => ({
  accessToken: `at-${n}`,
  refreshToken: `rt-${n}`,
  expiresInMs,
});
export const fresh = (n: number): RefreshAnswer => ({ kind: "tokens", tokens: pair(n) });
export const token = (n: number) => ({ kind: "token", token: `at-${n}` });

/** The keeper's surroundings: they outlive it, as the object's storage does. */
export function world() {
  let sealed: string | null = null;
  const shown: string[] = [];
  const script: (RefreshAnswer | Promise<RefreshAnswer>)[] = [];
  const clock = { now: NOW };
  const store = {
    read: () => sealed,
    write: (value: string | null) => {
      sealed = value;
    },
  };
  const keeper = ({ driver = "driver-1", masterKeys = OLD_KEY, keys = createKeys(masterKeys) } = {}) =>
    createTokenKeeper({
      driverId: z.parse(driverId, driver),
      keys,
      store,
      now: () => clock.now,
      refresh: async (refreshToken) => {
        shown.push(refreshToken);
        const answer = script.shift();
        if (!answer) throw new Error("no refresh was expected");
        return answer;
      },
    });
  return { clock, keeper, script, shown, store };
}

/** Lets a refresh that runs beside the caller come to its end. */
export async function settle(read: () => unknown, before: unknown): Promise<void> {
  while (read() === before) await new Promise((resolve) => setImmediate(resolve));
}
