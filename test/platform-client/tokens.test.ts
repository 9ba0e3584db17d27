import { expect, it } from "vitest";
import * as z from "zod";
import { toBase64 } from "../../durable/base64.ts";
import { driverId, MINUTE_MS } from "../../durable/engine/units.ts";
import { createKeys } from "../../durable/keys.ts";
import type { RefreshAnswer } from "../../durable/platform/answers.ts";
import { createTokenKeeper } from "../../durable/platform/tokens.ts";
import { NOW } from "./stage.ts";

const HOUR_MS = 60 * MINUTE_MS;
const OLD_KEY = `k1:${toBase64(new Uint8Array(32).fill(1))}`;
const NEW_KEY = `k2:${toBase64(new Uint8Array(32).fill(2))}`;
const pair = (n: number, expiresInMs = HOUR_MS) => ({
  accessToken: `at-${n}`,
  refreshToken: `rt-${n}`,
  expiresInMs,
});
const fresh = (n: number): RefreshAnswer => ({ kind: "tokens", tokens: pair(n) });
const token = (n: number) => ({ kind: "token", token: `at-${n}` });

/** The keeper's surroundings: they outlive it, as the object's storage does. */
function world() {
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
async function settle(read: () => unknown, before: unknown): Promise<void> {
  while (read() === before) await new Promise((resolve) => setImmediate(resolve));
}

it("is signed out before the driver has linked, and after it forgot", async () => {
  const { keeper, store } = world();
  const tokens = keeper();
  expect(await tokens.accessToken()).toEqual({ kind: "signed_out" });
  await tokens.replace(pair(1));
  expect(await tokens.accessToken()).toEqual(token(1));
  tokens.forget();
  expect([await tokens.accessToken(), store.read()]).toEqual([{ kind: "signed_out" }, null]);
});

it("stores the pair sealed: neither token can be read from it", async () => {
  const { keeper, store } = world();
  await keeper().replace(pair(1));
  expect(store.read()).toMatch(/^v1\.k1\./);
  expect(store.read()).not.toMatch(/at-1|rt-1/);
});

it("gives a valid token without a refresh", async () => {
  const { keeper, clock, shown } = world();
  await keeper().replace(pair(1));
  clock.now += 55 * MINUTE_MS;
  expect([await keeper().accessToken(), shown]).toEqual([token(1), []]);
});

it("refreshes once for ten callers who come together", async () => {
  const { keeper, clock, script, shown } = world();
  const tokens = keeper();
  await tokens.replace(pair(1));
  clock.now += HOUR_MS;
  script.push(fresh(2));
  const answers = await Promise.all(Array.from({ length: 10 }, () => tokens.accessToken()));
  expect([answers, shown]).toEqual([Array(10).fill(token(2)), ["rt-1"]]);
});

it("refreshes beside the caller in the last five minutes", async () => {
  const { keeper, clock, script, shown, store } = world();
  const tokens = keeper();
  await tokens.replace(pair(1));
  const before = store.read();
  clock.now += 55 * MINUTE_MS + 1;
  script.push(fresh(2));
  expect(await Promise.all([tokens.accessToken(), tokens.accessToken()])).toEqual([token(1), token(1)]);
  await settle(store.read, before);
  expect([await tokens.accessToken(), shown]).toEqual([token(2), ["rt-1"]]);
});

it("refreshes a token of one minute in its last tenth, not on every call", async () => {
  const { keeper, clock, script, shown, store } = world();
  const tokens = keeper();
  await tokens.replace(pair(1, MINUTE_MS));
  const before = store.read();
  clock.now += 54_000;
  expect([await tokens.accessToken(), shown]).toEqual([token(1), []]);
  clock.now += 1;
  script.push(fresh(2));
  expect(await tokens.accessToken()).toEqual(token(1));
  await settle(store.read, before);
  expect(shown).toEqual(["rt-1"]);
});

it("does not trouble the caller with an early refresh that failed, and tries again 10 s later", async () => {
  const { keeper, clock, script, shown, store } = world();
  const tokens = keeper();
  await tokens.replace(pair(1));
  const before = store.read();
  clock.now += 56 * MINUTE_MS;
  script.push({ kind: "unreachable" }, { kind: "timeout" });
  expect(await tokens.accessToken()).toEqual(token(1));
  await settle(() => shown.length, 1);
  await new Promise((resolve) => setImmediate(resolve));
  expect([await tokens.accessToken(), shown]).toEqual([token(1), ["rt-1", "rt-1"]]);
  clock.now += 10_000;
  script.push(fresh(2));
  expect(await tokens.accessToken()).toEqual(token(1));
  await settle(store.read, before);
  expect(await tokens.accessToken()).toEqual(token(2));
});

it.each(["timeout", "unreachable", "unreadable"] as const)(
  "asks again with the old token after a %s, and gets the same pair",
  async (kind) => {
    const { keeper, clock, script, shown } = world();
    const tokens = keeper();
    await tokens.replace(pair(1));
    clock.now += HOUR_MS;
    script.push({ kind }, fresh(2));
    expect([await tokens.accessToken(), shown]).toEqual([token(2), ["rt-1", "rt-1"]]);
  },
);

it("keeps the old pair stored while the platform can't be reached", async () => {
  const { keeper, clock, script, shown } = world();
  const tokens = keeper();
  await tokens.replace(pair(1));
  clock.now += HOUR_MS;
  script.push({ kind: "unreachable" }, { kind: "unreachable" }, { kind: "unreachable" }, fresh(2));
  expect(await tokens.accessToken()).toEqual({ kind: "unreachable" });
  expect(await tokens.accessToken()).toEqual({ kind: "unreachable" });
  expect([await tokens.accessToken(), shown]).toEqual([token(2), ["rt-1", "rt-1", "rt-1", "rt-1"]]);
});

it("survives a crash between the answer and the write, by the platform's grace", async () => {
  const { keeper, clock, script, shown } = world();
  await keeper().replace(pair(1));
  clock.now += HOUR_MS;
  script.push(new Promise(() => undefined));
  const crashed = keeper().accessToken();
  await settle(() => shown.length, 0);
  script.push(fresh(2));
  const reborn = keeper();
  expect([await reborn.accessToken(), shown]).toEqual([token(2), ["rt-1", "rt-1"]]);
  expect(await Promise.race([crashed, Promise.resolve("gone")])).toBe("gone");
});

it("is signed out by invalid_grant alone, and then holds nothing", async () => {
  const { keeper, clock, script, store, shown } = world();
  const tokens = keeper();
  await tokens.replace(pair(1));
  clock.now += HOUR_MS;
  script.push({ kind: "refused", status: 401 }, { kind: "invalid_grant" });
  expect(await tokens.accessToken()).toEqual({ kind: "refused", status: 401 });
  expect(await tokens.accessToken()).toEqual({ kind: "signed_out" });
  expect([await tokens.accessToken(), store.read(), shown.length]).toEqual([{ kind: "signed_out" }, null, 2]);
});

it("waits as long as the platform asks before it refreshes again", async () => {
  const { keeper, clock, script, shown } = world();
  const tokens = keeper();
  await tokens.replace(pair(1));
  clock.now += HOUR_MS;
  const retryAt = clock.now + 45_000;
  script.push({ kind: "rate_limited", retryAt }, fresh(2));
  expect(await tokens.accessToken()).toEqual({ kind: "rate_limited", retryAt });
  expect([await tokens.accessToken(), shown.length]).toEqual([{ kind: "rate_limited", retryAt }, 1]);
  clock.now = retryAt;
  expect(await tokens.accessToken()).toEqual(token(2));
});

it("drops a refresh that was overtaken by a new linking, or by leaving", async () => {
  const { keeper, clock, script, store, shown } = world();
  const tokens = keeper();
  await tokens.replace(pair(1));
  for (const overtake of [() => tokens.replace(pair(7)), async () => tokens.forget()]) {
    await tokens.replace(pair(1));
    clock.now += HOUR_MS;
    const late = Promise.withResolvers<RefreshAnswer>();
    script.push(late.promise);
    const calls = shown.length;
    const waiting = tokens.accessToken();
    await settle(() => shown.length, calls);
    await overtake();
    const standing = store.read();
    late.resolve(fresh(2));
    expect(await waiting).toEqual(standing === null ? { kind: "signed_out" } : token(7));
    expect(store.read()).toBe(standing);
  }
});

it("does not show a traded refresh token again for a caller who was slow to open the pair", async () => {
  const { keeper, clock, script, shown } = world();
  await keeper().replace(pair(1));
  clock.now += HOUR_MS;
  const real = createKeys(OLD_KEY);
  const gate = Promise.withResolvers<void>();
  let opened = 0;
  const open: typeof real.open = async (...input) => {
    opened += 1;
    if (opened === 1) await gate.promise;
    return real.open(...input);
  };
  const tokens = keeper({ keys: { ...real, open } });
  script.push(fresh(2));
  const slow = tokens.accessToken();
  expect(await tokens.accessToken()).toEqual(token(2));
  gate.resolve();
  expect([await slow, shown]).toEqual([token(2), ["rt-1"]]);
});

it("leaves a new linking alone when the old one's refusal comes late", async () => {
  const { keeper, clock, script, shown } = world();
  const tokens = keeper();
  await tokens.replace(pair(1));
  clock.now += HOUR_MS;
  const late = Promise.withResolvers<RefreshAnswer>();
  script.push(late.promise);
  const waiting = tokens.accessToken();
  await settle(() => shown.length, 0);
  await tokens.replace(pair(7));
  late.resolve({ kind: "invalid_grant" });
  expect([await waiting, await tokens.accessToken()]).toEqual([token(7), token(7)]);
});

it("makes a refused call once more with a fresh token, one refresh for four calls", async () => {
  const { keeper, script, shown } = world();
  const tokens = keeper();
  await tokens.replace(pair(1));
  script.push(fresh(2));
  const used: string[] = [];
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      tokens.withToken(async (accessToken) => {
        used.push(accessToken);
        return accessToken === "at-1" ? { kind: "signed_out" as const } : { kind: "ended" as const };
      }),
    ),
  );
  expect(answers).toEqual(Array.from({ length: 4 }, () => ({ kind: "ended" })));
  expect([used.toSorted(), shown]).toEqual([
    [...Array<string>(4).fill("at-1"), ...Array<string>(4).fill("at-2")],
    ["rt-1"],
  ]);
});

it("gives up on a call that is refused with the fresh token too", async () => {
  const { keeper, script, shown } = world();
  const tokens = keeper();
  await tokens.replace(pair(1));
  script.push(fresh(2));
  expect(await tokens.withToken(async () => ({ kind: "signed_out" as const }))).toEqual({
    kind: "signed_out",
  });
  expect(shown).toEqual(["rt-1"]);
});

it("answers with the refresh's own failure where the token was refused and none can be had", async () => {
  const { keeper, script } = world();
  const tokens = keeper();
  await tokens.replace(pair(1));
  script.push({ kind: "timeout" }, { kind: "unreachable" });
  const call = async () => ({ kind: "signed_out" as const });
  expect(await tokens.withToken(call)).toEqual({ kind: "unreachable" });
});

it("opens no other driver's tokens", async () => {
  const { keeper } = world();
  await keeper().replace(pair(1));
  expect(await keeper({ driver: "driver-2" }).accessToken()).toEqual({ kind: "signed_out" });
});

it("opens under a new master key what the old one sealed, and seals anew with the new", async () => {
  const { keeper, clock, script, store } = world();
  await keeper().replace(pair(1));
  const rotated = keeper({ masterKeys: `${NEW_KEY},${OLD_KEY}` });
  expect(await rotated.accessToken()).toEqual(token(1));
  clock.now += HOUR_MS;
  script.push(fresh(2));
  expect(await rotated.accessToken()).toEqual(token(2));
  expect(store.read()).toMatch(/^v1\.k2\./);
});
