import { expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../db/shapes/units.ts";
import { createKeys } from "../../durable/runtime/keys.ts";
import {
  freshTokens,
  HOUR_MS,
  NEW_KEY,
  OLD_KEY,
  tokenPair,
  waitForChange,
  tokenResult,
  createTokenHarness,
} from "./token-harness.ts";

it("is signed out before the driver has linked, and after it forgot", async () => {
  const { keeper, store } = createTokenHarness();
  const tokens = keeper();
  expect(await tokens.accessToken()).toEqual({ kind: "signed_out" });
  await tokens.replace(tokenPair(1));
  expect(await tokens.accessToken()).toEqual(tokenResult(1));
  tokens.forget();
  expect([await tokens.accessToken(), store.load()]).toEqual([{ kind: "signed_out" }, null]);
});

it("stores the pair sealed: neither token can be read from it", async () => {
  const { keeper, store } = createTokenHarness();
  await keeper().replace(tokenPair(1));
  expect(store.load()).toMatch(/^v1\.k1\./);
  expect(store.load()).not.toMatch(/at-1|rt-1/);
});

it.each([
  ["a pair of before versions", (pair: object) => JSON.stringify(pair), tokenResult(1), true],
  ["a pair of a version", (pair: object) => JSON.stringify({ v: 1, value: pair }), tokenResult(1), true],
  ["no pair", () => JSON.stringify({ v: 1, value: {} }), { kind: "signed_out" }, false],
  ["no JSON", () => "{", { kind: "signed_out" }, false],
])("opens %s; what can't be read is set aside", async (_name, write, expected, isKept) => {
  const { keeper, store, clock } = createTokenHarness();
  const { expiresInMs, ...pair } = tokenPair(1);
  const plain = write({ ...pair, issuedAt: clock.now, expiresAt: clock.now + expiresInMs });
  store.save(await createKeys(OLD_KEY).seal("tokens", { plain, context: "driver-1" }));
  expect(await keeper().accessToken()).toEqual(expected);
  expect(store.load() !== null).toBe(isKept);
});

it("keeps the pair where the key that sealed it is gone: the key may come back", async () => {
  const { keeper, store } = createTokenHarness();
  await keeper().replace(tokenPair(1));
  expect(await keeper({ masterKeys: NEW_KEY }).accessToken()).toEqual({ kind: "signed_out" });
  expect(store.load()).not.toBeNull();
  expect(await keeper().accessToken()).toEqual(tokenResult(1));
});

it("gives a valid token without a refresh", async () => {
  const { keeper, clock, shown } = createTokenHarness();
  await keeper().replace(tokenPair(1));
  clock.now += 55 * MINUTE_MS;
  expect([await keeper().accessToken(), shown]).toEqual([tokenResult(1), []]);
});

it("refreshes beside the caller in the last five minutes", async () => {
  const { keeper, clock, script, shown, store } = createTokenHarness();
  const tokens = keeper();
  await tokens.replace(tokenPair(1));
  const before = store.load();
  clock.now += 55 * MINUTE_MS + 1;
  script.push(freshTokens(2));
  expect(await Promise.all([tokens.accessToken(), tokens.accessToken()])).toEqual([
    tokenResult(1),
    tokenResult(1),
  ]);
  await waitForChange(store.load, before);
  expect([await tokens.accessToken(), shown]).toEqual([tokenResult(2), ["rt-1"]]);
});

it("refreshes a token of one minute in its last tenth, not on every call", async () => {
  const { keeper, clock, script, shown, store } = createTokenHarness();
  const tokens = keeper();
  await tokens.replace(tokenPair(1, MINUTE_MS));
  const before = store.load();
  clock.now += 54_000;
  expect([await tokens.accessToken(), shown]).toEqual([tokenResult(1), []]);
  clock.now += 1;
  script.push(freshTokens(2));
  expect(await tokens.accessToken()).toEqual(tokenResult(1));
  await waitForChange(store.load, before);
  expect(shown).toEqual(["rt-1"]);
});

it("does not trouble the caller with an early refresh that failed, and tries again 10 s later", async () => {
  const { keeper, clock, script, shown, store } = createTokenHarness();
  const tokens = keeper();
  await tokens.replace(tokenPair(1));
  const before = store.load();
  clock.now += 56 * MINUTE_MS;
  script.push({ kind: "unreachable" }, { kind: "timeout" });
  expect(await tokens.accessToken()).toEqual(tokenResult(1));
  await waitForChange(() => shown.length, 1);
  await new Promise((resolve) => setImmediate(resolve));
  expect([await tokens.accessToken(), shown]).toEqual([tokenResult(1), ["rt-1", "rt-1"]]);
  clock.now += 10_000;
  script.push(freshTokens(2));
  expect(await tokens.accessToken()).toEqual(tokenResult(1));
  await waitForChange(store.load, before);
  expect(await tokens.accessToken()).toEqual(tokenResult(2));
});

it.each(["timeout", "unreachable", "unreadable"] as const)(
  "asks again with the old token after a %s, and gets the same pair",
  async (kind) => {
    const { keeper, clock, script, shown } = createTokenHarness();
    const tokens = keeper();
    await tokens.replace(tokenPair(1));
    clock.now += HOUR_MS;
    script.push({ kind }, freshTokens(2));
    expect([await tokens.accessToken(), shown]).toEqual([tokenResult(2), ["rt-1", "rt-1"]]);
  },
);

it("keeps the old pair stored while the platform can't be reached", async () => {
  const { keeper, clock, script, shown } = createTokenHarness();
  const tokens = keeper();
  await tokens.replace(tokenPair(1));
  clock.now += HOUR_MS;
  script.push({ kind: "unreachable" }, { kind: "unreachable" }, { kind: "unreachable" }, freshTokens(2));
  expect(await tokens.accessToken()).toEqual({ kind: "unreachable" });
  expect(await tokens.accessToken()).toEqual({ kind: "unreachable" });
  expect([await tokens.accessToken(), shown]).toEqual([tokenResult(2), ["rt-1", "rt-1", "rt-1", "rt-1"]]);
});

it("is signed out by invalid_grant alone, and then holds nothing", async () => {
  const { keeper, clock, script, store, shown } = createTokenHarness();
  const tokens = keeper();
  await tokens.replace(tokenPair(1));
  clock.now += HOUR_MS;
  script.push({ kind: "refused", status: 401 }, { kind: "invalid_grant" });
  expect(await tokens.accessToken()).toEqual({ kind: "refused", status: 401 });
  expect(await tokens.accessToken()).toEqual({ kind: "signed_out" });
  expect([await tokens.accessToken(), store.load(), shown.length]).toEqual([{ kind: "signed_out" }, null, 2]);
});

it("does not refresh while the platform asks to wait, and does when that is over", async () => {
  const { keeper, clock, script, shown, wait } = createTokenHarness();
  const tokens = keeper();
  await tokens.replace(tokenPair(1));
  clock.now += HOUR_MS;
  const retryAt = clock.now + 45_000;
  wait.until = retryAt;
  script.push(freshTokens(2));
  expect([await tokens.accessToken(), shown.length]).toEqual([{ kind: "rate_limited", retryAt }, 0]);
  clock.now = retryAt;
  expect(await tokens.accessToken()).toEqual(tokenResult(2));
});

it("says to the next caller, once, what an early refresh was told about waiting", async () => {
  const { keeper, clock, script, shown } = createTokenHarness();
  const tokens = keeper();
  await tokens.replace(tokenPair(1));
  clock.now += HOUR_MS - MINUTE_MS;
  const retryAt = clock.now + 45_000;
  script.push({ kind: "rate_limited", retryAt });
  expect(await tokens.accessToken()).toEqual(tokenResult(1));
  await vi.waitFor(async () => expect(await tokens.accessToken()).toEqual({ kind: "rate_limited", retryAt }));
  expect([await tokens.accessToken(), shown]).toEqual([tokenResult(1), ["rt-1"]]);
});

it("opens no other driver's tokens", async () => {
  const { keeper } = createTokenHarness();
  await keeper().replace(tokenPair(1));
  expect(await keeper({ driver: "driver-2" }).accessToken()).toEqual({ kind: "signed_out" });
});

it("opens under a new master key what the old one sealed, and seals anew with the new", async () => {
  const { keeper, clock, script, store } = createTokenHarness();
  await keeper().replace(tokenPair(1));
  const rotated = keeper({ masterKeys: `${NEW_KEY},${OLD_KEY}` });
  expect(await rotated.accessToken()).toEqual(tokenResult(1));
  clock.now += HOUR_MS;
  script.push(freshTokens(2));
  expect(await rotated.accessToken()).toEqual(tokenResult(2));
  expect(store.load()).toMatch(/^v1\.k2\./);
});
