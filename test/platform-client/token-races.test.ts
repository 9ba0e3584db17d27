import { expect, it } from "vitest";
import { createKeys } from "../../durable/runtime/keys.ts";
import type { RefreshTokensResult } from "../../durable/platform/results.ts";
import { NOW } from "./harness.ts";
import {
  freshTokens,
  HOUR_MS,
  OLD_KEY,
  tokenPair,
  waitForChange,
  tokenResult,
  createTokenHarness,
} from "./token-harness.ts";

it("refreshes once for ten concurrent callers", async () => {
  const { createManager, clock, script, sentRefreshTokens } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  clock.now += HOUR_MS;
  script.push(freshTokens(2));
  const answers = await Promise.all(Array.from({ length: 10 }, () => tokens.accessToken()));
  expect([answers, sentRefreshTokens]).toEqual([Array(10).fill(tokenResult(2)), ["rt-1"]]);
});

it("recovers from a crash between response and write within the platform's grace period", async () => {
  const { createManager, clock, script, sentRefreshTokens } = createTokenHarness();
  await createManager().replace(tokenPair(1));
  clock.now += HOUR_MS;
  script.push(new Promise(() => undefined));
  const crashed = createManager().accessToken();
  await waitForChange(() => sentRefreshTokens.length, 0);
  script.push(freshTokens(2));
  const restarted = createManager();
  expect([await restarted.accessToken(), sentRefreshTokens]).toEqual([tokenResult(2), ["rt-1", "rt-1"]]);
  expect(await Promise.race([crashed, Promise.resolve("gone")])).toBe("gone");
});

it("discards a refresh if the driver linked again or unlinked in the meantime", async () => {
  const { createManager, clock, script, store, sentRefreshTokens } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  for (const overtake of [() => tokens.replace(tokenPair(7)), async () => tokens.forget()]) {
    await tokens.replace(tokenPair(1));
    clock.now += HOUR_MS;
    const late = Promise.withResolvers<RefreshTokensResult>();
    script.push(late.promise);
    const calls = sentRefreshTokens.length;
    const waiting = tokens.accessToken();
    await waitForChange(() => sentRefreshTokens.length, calls);
    await overtake();
    const standing = store.load();
    late.resolve(freshTokens(2));
    expect(await waiting).toEqual(standing === null ? { kind: "signed_out" } : tokenResult(7));
    expect(store.load()).toBe(standing);
  }
});

it("shares the new link's refresh after the old link's has ended beside it", async () => {
  const { createManager, clock, script, sentRefreshTokens } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  clock.now += HOUR_MS;
  const [old, next] = [
    Promise.withResolvers<RefreshTokensResult>(),
    Promise.withResolvers<RefreshTokensResult>(),
  ];
  script.push(old.promise, next.promise);
  const first = tokens.accessToken();
  await waitForChange(() => sentRefreshTokens.length, 0);
  await tokens.replace(tokenPair(7, 0));
  const second = tokens.accessToken();
  await waitForChange(() => sentRefreshTokens.length, 1);
  old.resolve(freshTokens(2));
  await first;
  const third = tokens.accessToken();
  next.resolve(freshTokens(8));
  expect(await Promise.all([second, third])).toEqual([tokenResult(8), tokenResult(8)]);
  expect(sentRefreshTokens).toEqual(["rt-1", "rt-7"]);
});

it("never sends an exchanged refresh token again for a caller that was slow to decrypt the pair", async () => {
  const { createManager, clock, script, sentRefreshTokens } = createTokenHarness();
  await createManager().replace(tokenPair(1));
  clock.now += HOUR_MS;
  const real = createKeys(OLD_KEY);
  const gate = Promise.withResolvers<void>();
  let opened = 0;
  const open: typeof real.open = async (...input) => {
    opened += 1;
    if (opened === 1) await gate.promise;
    return real.open(...input);
  };
  const tokens = createManager({ keys: { ...real, open } });
  script.push(freshTokens(2));
  const slow = tokens.accessToken();
  expect(await tokens.accessToken()).toEqual(tokenResult(2));
  gate.resolve();
  expect([await slow, sentRefreshTokens]).toEqual([tokenResult(2), ["rt-1"]]);
});

it("keeps a new link if the old link's refusal arrives late", async () => {
  const { createManager, clock, script, sentRefreshTokens } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  clock.now += HOUR_MS;
  const late = Promise.withResolvers<RefreshTokensResult>();
  script.push(late.promise);
  const waiting = tokens.accessToken();
  await waitForChange(() => sentRefreshTokens.length, 0);
  await tokens.replace(tokenPair(7));
  late.resolve({ kind: "invalid_grant" });
  expect([await waiting, await tokens.accessToken()]).toEqual([tokenResult(7), tokenResult(7)]);
});

it("repeats refused calls with a new token, with one refresh for four calls", async () => {
  const { createManager, script, sentRefreshTokens } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  expect(await tokens.accessToken()).toEqual(tokenResult(1));
  script.push(freshTokens(2));
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
  expect([used.toSorted(), sentRefreshTokens]).toEqual([
    [...Array<string>(4).fill("at-1"), ...Array<string>(4).fill("at-2")],
    ["rt-1"],
  ]);
});

it("waits out a call that is refused with the new token too, since the refresh says that the link stands", async () => {
  const { createManager, script, sentRefreshTokens, store } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  script.push(freshTokens(2), freshTokens(3));
  const refuse = async () => ({ kind: "signed_out" as const });
  expect(await tokens.withToken(refuse)).toEqual({ kind: "unreachable" });
  expect(sentRefreshTokens).toEqual(["rt-1"]);
  const stated = async () => ({ kind: "signed_out" as const, retryAt: NOW });
  expect(await tokens.withToken(stated)).toEqual({ kind: "unreachable", retryAt: NOW });
  expect([await tokens.accessToken(), store.load() !== null]).toEqual([tokenResult(3), true]);
});

it("is signed out if the platform refuses first the access token and then the refresh token", async () => {
  const { createManager, script, store } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  script.push({ kind: "invalid_grant" });
  expect(await tokens.withToken(async () => ({ kind: "signed_out" as const }))).toEqual({
    kind: "signed_out",
  });
  expect(store.load()).toBeNull();
});

it("waits out a refresh that is refused in any other way, and repeats it for the next call", async () => {
  const { createManager, clock, script, sentRefreshTokens } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  clock.now += HOUR_MS;
  script.push(
    { kind: "refused", status: 400 },
    { kind: "refused", status: 403, retryAt: NOW },
    freshTokens(2),
  );
  const call = async () => ({ kind: "ended" as const });
  expect([await tokens.withToken(call), await tokens.withToken(call), await tokens.withToken(call)]).toEqual([
    { kind: "unreachable" },
    { kind: "unreachable", retryAt: NOW },
    { kind: "ended" },
  ]);
  expect(sentRefreshTokens).toEqual(["rt-1", "rt-1", "rt-1"]);
});

it("returns the refresh's failure if the token was refused and can't be refreshed", async () => {
  const { createManager, script, pauses } = createTokenHarness();
  const tokens = createManager();
  await tokens.replace(tokenPair(1));
  script.push({ kind: "timeout" }, { kind: "unreachable" });
  const answered = tokens.withToken(async () => ({ kind: "signed_out" as const }));
  await waitForChange(() => pauses.length, 0);
  pauses[0]?.end();
  expect(await answered).toEqual({ kind: "unreachable" });
});
