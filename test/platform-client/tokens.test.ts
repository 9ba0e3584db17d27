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

it("is signed out before the driver has linked and after the pair is deleted", async () => {
  const { createManager, store } = createTokenHarness();
  const tokens = createManager();
  expect(await tokens.accessToken()).toEqual({ kind: "signed_out" });
  await tokens.replace(tokenPair(1));
  expect(await tokens.accessToken()).toEqual(tokenResult(1));
  tokens.forget();
  expect([await tokens.accessToken(), store.load()]).toEqual([{ kind: "signed_out" }, null]);
});

it("stores the pair sealed, with neither token readable", async () => {
  const { createManager, store } = createTokenHarness();
  await createManager().replace(tokenPair(1));
  expect(store.load()).toMatch(/^v1\.k1\./);
  expect(store.load()).not.toMatch(/at-1|rt-1/);
});

it.each([
  ["a pair of before versions", (pair: object) => JSON.stringify(pair), tokenResult(1), true],
  ["a pair of a version", (pair: object) => JSON.stringify({ v: 1, value: pair }), tokenResult(1), true],
  ["no pair", () => JSON.stringify({ v: 1, value: {} }), { kind: "signed_out" }, false],
  ["no JSON", () => "{", { kind: "signed_out" }, false],
])("parses %s, and sets malformed ones aside", async (_name, write, expected, isKept) => {
  const { createManager, store, clock } = createTokenHarness();
  const { expiresInMs, ...pair } = tokenPair(1);
  const plain = write({ ...pair, issuedAt: clock.now, expiresAt: clock.now + expiresInMs });
  store.save(await createKeys(OLD_KEY).seal("tokens", { plain, context: "driver-1" }));
  expect(await createManager().accessToken()).toEqual(expected);
  expect(store.load() !== null).toBe(isKept);
});

it("keeps a pair whose key is no longer configured, since the key may come back", async () => {
  const { createManager, store } = createTokenHarness();
  await createManager().replace(tokenPair(1));
  expect(await createManager({ masterKeys: NEW_KEY }).accessToken()).toEqual({ kind: "unreachable" });
  expect(store.load()).not.toBeNull();
  expect(await createManager().accessToken()).toEqual(tokenResult(1));
});

it("returns a valid token without a refresh", async () => {
  const { createManager, clock, sentRefreshTokens } = createTokenHarness();
  await createManager().replace(tokenPair(1));
  clock.now += 55 * MINUTE_MS;
  expect([await createManager().accessToken(), sentRefreshTokens]).toEqual([tokenResult(1), []]);
});

it("refreshes in the background in the last five minutes", async () => {
  const { createManager, clock, script, sentRefreshTokens, store } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  const before = store.load();
  clock.now += 55 * MINUTE_MS + 1;
  script.push(freshTokens(2));
  expect(await Promise.all([tokens.accessToken(), tokens.accessToken()])).toEqual([
    tokenResult(1),
    tokenResult(1),
  ]);
  await waitForChange(store.load, before);
  expect([await tokens.accessToken(), sentRefreshTokens]).toEqual([tokenResult(2), ["rt-1"]]);
});

it.each([0, 10 * MINUTE_MS])("says the wait that an early refresh got, asked %i ms later", async (later) => {
  const { createManager, clock, script, sentRefreshTokens } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  clock.now += 56 * MINUTE_MS;
  const refusal = { kind: "rate_limited" as const, retryAt: clock.now + HOUR_MS };
  script.push(refusal);
  expect(await tokens.accessToken()).toEqual(tokenResult(1));
  await waitForChange(() => sentRefreshTokens.length, 0);
  await new Promise((resolve) => setImmediate(resolve));
  clock.now += later;
  // All calls that leave together get it; the next one comes after the wait was noted.
  const together = await Promise.all([tokens.accessToken(), tokens.accessToken()]);
  expect([together, sentRefreshTokens]).toEqual([[refusal, refusal], ["rt-1"]]);
  clock.now += 1;
  script.push({ kind: "timeout" }, { kind: "timeout" });
  expect(await tokens.accessToken()).toEqual(later === 0 ? tokenResult(1) : { kind: "timeout" });
});

it("refreshes a one-minute token in its last tenth, not on every call", async () => {
  const { createManager, clock, script, sentRefreshTokens, store } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1, MINUTE_MS));
  const before = store.load();
  clock.now += 54_000;
  expect([await tokens.accessToken(), sentRefreshTokens]).toEqual([tokenResult(1), []]);
  clock.now += 1;
  script.push(freshTokens(2));
  expect(await tokens.accessToken()).toEqual(tokenResult(1));
  await waitForChange(store.load, before);
  expect(sentRefreshTokens).toEqual(["rt-1"]);
});

it("hides a failed early refresh from the caller, and repeats it once the platform had time to recover", async () => {
  const { createManager, clock, script, sentRefreshTokens, pauses, store } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  const before = store.load();
  clock.now += 56 * MINUTE_MS;
  script.push({ kind: "unreachable" });
  expect(await tokens.accessToken()).toEqual(tokenResult(1));
  await waitForChange(() => pauses.length, 0);
  clock.now += 20_000;
  // The contract allows one repeat within 60 s: a platform in trouble would spend it.
  expect([await tokens.accessToken(), sentRefreshTokens]).toEqual([tokenResult(1), ["rt-1"]]);
  expect(pauses.map(({ lengthMs }) => lengthMs)).toEqual([30_000]);
  script.push(freshTokens(2));
  pauses[0]?.end();
  await waitForChange(store.load, before);
  expect([await tokens.accessToken(), sentRefreshTokens]).toEqual([tokenResult(2), ["rt-1", "rt-1"]]);
});

it("retries an early refresh of which the repeat failed, too, after 10 s", async () => {
  const { createManager, clock, script, sentRefreshTokens, pauses, store } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  const before = store.load();
  clock.now += 56 * MINUTE_MS;
  script.push({ kind: "unreachable" }, { kind: "timeout" });
  expect(await tokens.accessToken()).toEqual(tokenResult(1));
  await waitForChange(() => pauses.length, 0);
  pauses[0]?.end();
  await waitForChange(() => sentRefreshTokens.length, 1);
  await new Promise((resolve) => setImmediate(resolve));
  expect([await tokens.accessToken(), sentRefreshTokens]).toEqual([tokenResult(1), ["rt-1", "rt-1"]]);
  clock.now += 10_000;
  script.push(freshTokens(2));
  expect(await tokens.accessToken()).toEqual(tokenResult(1));
  await waitForChange(store.load, before);
  expect(await tokens.accessToken()).toEqual(tokenResult(2));
});

it("repeats an early refresh at once for whoever can't use the old token meanwhile, and not again", async () => {
  const { createManager, clock, script, sentRefreshTokens, pauses } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  clock.now += 56 * MINUTE_MS;
  script.push({ kind: "timeout" });
  expect(await tokens.accessToken()).toEqual(tokenResult(1));
  await waitForChange(() => pauses.length, 0);
  script.push(freshTokens(2));
  tokens.invalidate("at-1");
  expect(await tokens.accessToken()).toEqual(tokenResult(2));
  pauses[0]?.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect([await tokens.accessToken(), sentRefreshTokens]).toEqual([tokenResult(2), ["rt-1", "rt-1"]]);
});

it("sends no third refresh in the background where a caller's repeat got no answer either", async () => {
  const { createManager, clock, script, sentRefreshTokens, pauses, store } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  clock.now += 56 * MINUTE_MS;
  script.push({ kind: "timeout" }, { kind: "timeout" }, { kind: "invalid_grant" });
  expect(await tokens.accessToken()).toEqual(tokenResult(1));
  await waitForChange(() => pauses.length, 0);
  tokens.invalidate("at-1");
  expect(await tokens.accessToken()).toEqual({ kind: "timeout" });
  const stored = store.load();
  pauses[0]?.end();
  await new Promise((resolve) => setImmediate(resolve));
  expect([sentRefreshTokens, store.load()]).toEqual([["rt-1", "rt-1"], stored]);
});

it.each(["timeout", "unreachable", "unreadable"] as const)(
  "repeats a refresh that is awaited once the platform had a moment after a %s, and gets the same pair",
  async (kind) => {
    const { createManager, clock, script, sentRefreshTokens, pauses } = createTokenHarness();
    const tokens = createManager();
    await tokens.replace(tokenPair(1));
    clock.now += HOUR_MS;
    script.push({ kind }, freshTokens(2));
    const asked = [tokens.accessToken(), tokens.accessToken()];
    await waitForChange(() => pauses.length, 0);
    expect([pauses.map(({ lengthMs }) => lengthMs), sentRefreshTokens]).toEqual([[5_000], ["rt-1"]]);
    pauses[0]?.end();
    expect([await Promise.all(asked), sentRefreshTokens]).toEqual([
      [tokenResult(2), tokenResult(2)],
      ["rt-1", "rt-1"],
    ]);
  },
);

it("spends no repeat where the platform asked us to wait meanwhile, and none of a link that was replaced", async () => {
  const { createManager, clock, script, sentRefreshTokens, pauses, wait } = createTokenHarness();
  const tokens = createManager();
  const answers = [];
  const meanwhile = [() => void (wait.until = clock.now + MINUTE_MS), () => tokens.replace(tokenPair(7))];
  for (const happens of meanwhile) {
    wait.until = null;
    await tokens.replace(tokenPair(1));
    clock.now += HOUR_MS;
    script.push({ kind: "timeout" });
    const { length } = pauses;
    const asked = tokens.accessToken();
    await waitForChange(() => pauses.length, length);
    await happens();
    pauses.at(-1)?.end();
    answers.push(await asked);
  }
  expect([answers, sentRefreshTokens]).toEqual([
    [{ kind: "timeout" }, tokenResult(7)],
    ["rt-1", "rt-1"],
  ]);
});

it("keeps the old pair stored while the platform can't be reached", async () => {
  const { createManager, clock, script, sentRefreshTokens, pauses } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  clock.now += HOUR_MS;
  script.push({ kind: "unreachable" }, { kind: "unreachable" }, { kind: "unreachable" }, freshTokens(2));
  const first = tokens.accessToken();
  await waitForChange(() => pauses.length, 0);
  pauses[0]?.end();
  expect(await first).toEqual({ kind: "unreachable" });
  expect(await tokens.accessToken()).toEqual({ kind: "unreachable" });
  expect([await tokens.accessToken(), sentRefreshTokens]).toEqual([
    tokenResult(2),
    ["rt-1", "rt-1", "rt-1", "rt-1"],
  ]);
});

it("is signed out only by invalid_grant, and then stores nothing", async () => {
  const { createManager, clock, script, store, sentRefreshTokens } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  clock.now += HOUR_MS;
  script.push({ kind: "refused", status: 401 }, { kind: "invalid_grant" });
  expect(await tokens.accessToken()).toEqual({ kind: "unreachable" });
  expect(await tokens.accessToken()).toEqual({ kind: "signed_out" });
  expect([await tokens.accessToken(), store.load(), sentRefreshTokens.length]).toEqual([
    { kind: "signed_out" },
    null,
    2,
  ]);
});

it("does not refresh while throttled, and does afterwards", async () => {
  const { createManager, clock, script, sentRefreshTokens, wait } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  clock.now += HOUR_MS;
  const retryAt = clock.now + 45_000;
  wait.until = retryAt;
  script.push(freshTokens(2));
  expect([await tokens.accessToken(), sentRefreshTokens.length]).toEqual([
    { kind: "rate_limited", retryAt },
    0,
  ]);
  clock.now = retryAt;
  expect(await tokens.accessToken()).toEqual(tokenResult(2));
});

it("reports a background refresh's rate limit to the next caller, once", async () => {
  const { createManager, clock, script, sentRefreshTokens } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  clock.now += HOUR_MS - MINUTE_MS;
  const retryAt = clock.now + 45_000;
  script.push({ kind: "rate_limited", retryAt });
  expect(await tokens.accessToken()).toEqual(tokenResult(1));
  await vi.waitFor(async () => expect(await tokens.accessToken()).toEqual({ kind: "rate_limited", retryAt }));
  clock.now += 1;
  expect([await tokens.accessToken(), sentRefreshTokens]).toEqual([tokenResult(1), ["rt-1"]]);
});

it("tells the next caller of a wait that a busy platform stated to a background refresh, and doesn't ask twice", async () => {
  const { clock, createManager, script, sentRefreshTokens } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  clock.now += 56 * MINUTE_MS;
  script.push({ kind: "unreachable", retryAt: clock.now + MINUTE_MS });
  await tokens.accessToken();
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(sentRefreshTokens).toEqual(["rt-1"]);
  expect(await tokens.accessToken()).toEqual({ kind: "unreachable", retryAt: clock.now + MINUTE_MS });
  clock.now += 1;
  expect(await tokens.accessToken()).toEqual(tokenResult(1));
});

it("tells of that wait although the token has expired since, to everyone who calls in the same instant", async () => {
  const { clock, createManager, script, sentRefreshTokens } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  clock.now += 56 * MINUTE_MS;
  const told = { kind: "unreachable" as const, retryAt: clock.now + 10 * MINUTE_MS };
  script.push(told);
  await tokens.accessToken();
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  clock.now += 5 * MINUTE_MS;
  // A poll and a read of the blocks leave together.
  expect([await tokens.accessToken(), await tokens.accessToken()]).toEqual([told, told]);
  expect(sentRefreshTokens).toEqual(["rt-1"]);
});

it("can't open another driver's tokens", async () => {
  const { createManager } = createTokenHarness();
  await createManager().replace(tokenPair(1));
  expect(await createManager({ driver: "driver-2" }).accessToken()).toEqual({ kind: "unreachable" });
});

it("opens tokens sealed with an old master key and seals new ones with the current key", async () => {
  const { createManager, clock, script, store } = createTokenHarness();
  await createManager().replace(tokenPair(1));
  const rotated = createManager({ masterKeys: `${NEW_KEY},${OLD_KEY}` });
  expect(await rotated.accessToken()).toEqual(tokenResult(1));
  clock.now += HOUR_MS;
  script.push(freshTokens(2));
  expect(await rotated.accessToken()).toEqual(tokenResult(2));
  expect(store.load()).toMatch(/^v1\.k2\./);
});

it("seals the pair under the current master key, with nothing to refresh", async () => {
  const { createManager, store, sentRefreshTokens } = createTokenHarness();
  await createManager().replace(tokenPair(1));
  const rotated = createManager({ masterKeys: `${NEW_KEY},${OLD_KEY}` });
  expect(await rotated.reseal()).toBe("k2");
  expect(store.load()).toMatch(/^v1\.k2\./);
  expect(await rotated.reseal()).toBe("k2");
  expect(await rotated.accessToken()).toEqual(tokenResult(1));
  expect(await createManager({ masterKeys: NEW_KEY }).accessToken()).toEqual(tokenResult(1));
  expect(sentRefreshTokens).toEqual([]);
  rotated.forget();
  expect(await rotated.reseal()).toBeNull();
});

it("keeps a pair whose master key is missing until the key is back, and gives it up once that is lost", async () => {
  const { createManager, store } = createTokenHarness();
  await createManager().replace(tokenPair(1));
  const without = createManager({ masterKeys: NEW_KEY });
  expect(await without.accessToken()).toEqual({ kind: "unreachable" });
  expect(await without.reseal()).toBe("k1");
  expect(store.load()).toMatch(/^v1\.k1\./);
  expect(await createManager({ masterKeys: `${NEW_KEY},${OLD_KEY}` }).accessToken()).toEqual(tokenResult(1));
  const lost = createManager({ keys: createKeys(NEW_KEY, ["k1"]) });
  expect(await lost.accessToken()).toEqual({ kind: "signed_out" });
});

it("keeps a pair where another key has the id of its master key, until that one is back", async () => {
  const { createManager, store } = createTokenHarness();
  await createManager().replace(tokenPair(1));
  const sealed = store.load();
  const exchanged = createManager({ masterKeys: `k1:${btoa("a".repeat(32))}` });
  expect(await exchanged.accessToken()).toEqual({ kind: "unreachable" });
  expect(await exchanged.reseal()).toBe("k1");
  expect(store.load()).toBe(sealed);
  expect(await createManager().accessToken()).toEqual(tokenResult(1));
});

it("leaves a pair alone that is being refreshed", async () => {
  const { createManager, store, script, clock } = createTokenHarness();
  await createManager().replace(tokenPair(1));
  const rotated = createManager({ masterKeys: `${NEW_KEY},${OLD_KEY}` });
  clock.now += HOUR_MS;
  let answer: (result: ReturnType<typeof freshTokens>) => void = () => undefined;
  script.push(new Promise((resolve) => (answer = resolve)));
  const token = rotated.accessToken();
  await new Promise((resolve) => setImmediate(resolve));
  expect(await rotated.reseal()).toBe("k1");
  answer(freshTokens(2));
  expect(await token).toEqual(tokenResult(2));
  expect(store.load()).toMatch(/^v1\.k2\./);
});

it("leaves a pair alone whose early refresh waits for its repeat, which is of the stored pair alone", async () => {
  const { createManager, store, script, clock, pauses, sentRefreshTokens } = createTokenHarness();
  await createManager().replace(tokenPair(1));
  const before = store.load();
  const rotated = createManager({ masterKeys: `${NEW_KEY},${OLD_KEY}` });
  clock.now += 56 * MINUTE_MS;
  script.push({ kind: "timeout" }, freshTokens(2));
  expect(await rotated.accessToken()).toEqual(tokenResult(1));
  await waitForChange(() => pauses.length, 0);
  expect(await rotated.reseal()).toBe("k1");
  pauses[0]?.end();
  await waitForChange(() => sentRefreshTokens.length, 1);
  await waitForChange(store.load, before);
  expect([await rotated.accessToken(), sentRefreshTokens]).toEqual([tokenResult(2), ["rt-1", "rt-1"]]);
});

it("repeats no refresh of a link that was ended or replaced while it waited", async () => {
  const { createManager, clock, script, sentRefreshTokens, pauses } = createTokenHarness();
  const tokens = createManager();
  for (const overtake of [() => tokens.replace(tokenPair(7)), async () => tokens.forget()]) {
    await tokens.replace(tokenPair(1));
    clock.now += 56 * MINUTE_MS;
    script.push({ kind: "timeout" });
    const { length } = pauses;
    expect(await tokens.accessToken()).toEqual(tokenResult(1));
    await waitForChange(() => pauses.length, length);
    await overtake();
    pauses.at(-1)?.end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(sentRefreshTokens).toEqual(["rt-1", "rt-1"]);
});
