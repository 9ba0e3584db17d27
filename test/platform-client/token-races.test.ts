import { expect, it } from "vitest";
import { createKeys } from "../../durable/runtime/keys.ts";
import type { RefreshTokensResult } from "../../durable/platform/results.ts";
import {
  freshTokens,
  HOUR_MS,
  OLD_KEY,
  tokenPair,
  waitForChange,
  tokenResult,
  createTokenHarness,
} from "./token-harness.ts";

it("refreshes once for ten callers who come together", async () => {
  const { keeper, clock, script, shown } = createTokenHarness();
  const tokens = keeper();
  await tokens.replace(tokenPair(1));
  clock.now += HOUR_MS;
  script.push(freshTokens(2));
  const answers = await Promise.all(Array.from({ length: 10 }, () => tokens.accessToken()));
  expect([answers, shown]).toEqual([Array(10).fill(tokenResult(2)), ["rt-1"]]);
});

it("survives a crash between the answer and the write, by the platform's grace", async () => {
  const { keeper, clock, script, shown } = createTokenHarness();
  await keeper().replace(tokenPair(1));
  clock.now += HOUR_MS;
  script.push(new Promise(() => undefined));
  const crashed = keeper().accessToken();
  await waitForChange(() => shown.length, 0);
  script.push(freshTokens(2));
  const reborn = keeper();
  expect([await reborn.accessToken(), shown]).toEqual([tokenResult(2), ["rt-1", "rt-1"]]);
  expect(await Promise.race([crashed, Promise.resolve("gone")])).toBe("gone");
});

it("drops a refresh that was overtaken by a new linking, or by leaving", async () => {
  const { keeper, clock, script, store, shown } = createTokenHarness();
  const tokens = keeper();
  await tokens.replace(tokenPair(1));
  for (const overtake of [() => tokens.replace(tokenPair(7)), async () => tokens.forget()]) {
    await tokens.replace(tokenPair(1));
    clock.now += HOUR_MS;
    const late = Promise.withResolvers<RefreshTokensResult>();
    script.push(late.promise);
    const calls = shown.length;
    const waiting = tokens.accessToken();
    await waitForChange(() => shown.length, calls);
    await overtake();
    const standing = store.load();
    late.resolve(freshTokens(2));
    expect(await waiting).toEqual(standing === null ? { kind: "signed_out" } : tokenResult(7));
    expect(store.load()).toBe(standing);
  }
});

it("does not show a traded refresh token again for a caller who was slow to open the pair", async () => {
  const { keeper, clock, script, shown } = createTokenHarness();
  await keeper().replace(tokenPair(1));
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
  script.push(freshTokens(2));
  const slow = tokens.accessToken();
  expect(await tokens.accessToken()).toEqual(tokenResult(2));
  gate.resolve();
  expect([await slow, shown]).toEqual([tokenResult(2), ["rt-1"]]);
});

it("leaves a new linking alone when the old one's refusal comes late", async () => {
  const { keeper, clock, script, shown } = createTokenHarness();
  const tokens = keeper();
  await tokens.replace(tokenPair(1));
  clock.now += HOUR_MS;
  const late = Promise.withResolvers<RefreshTokensResult>();
  script.push(late.promise);
  const waiting = tokens.accessToken();
  await waitForChange(() => shown.length, 0);
  await tokens.replace(tokenPair(7));
  late.resolve({ kind: "invalid_grant" });
  expect([await waiting, await tokens.accessToken()]).toEqual([tokenResult(7), tokenResult(7)]);
});

it("makes a refused call once more with a fresh token, one refresh for four calls", async () => {
  const { keeper, script, shown } = createTokenHarness();
  const tokens = keeper();
  await tokens.replace(tokenPair(1));
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
  expect([used.toSorted(), shown]).toEqual([
    [...Array<string>(4).fill("at-1"), ...Array<string>(4).fill("at-2")],
    ["rt-1"],
  ]);
});

it("gives up on a call that is refused with the fresh token too", async () => {
  const { keeper, script, shown } = createTokenHarness();
  const tokens = keeper();
  await tokens.replace(tokenPair(1));
  script.push(freshTokens(2));
  expect(await tokens.withToken(async () => ({ kind: "signed_out" as const }))).toEqual({
    kind: "signed_out",
  });
  expect(shown).toEqual(["rt-1"]);
});

it("answers with the refresh's own failure where the token was refused and none can be had", async () => {
  const { keeper, script } = createTokenHarness();
  const tokens = keeper();
  await tokens.replace(tokenPair(1));
  script.push({ kind: "timeout" }, { kind: "unreachable" });
  const call = async () => ({ kind: "signed_out" as const });
  expect(await tokens.withToken(call)).toEqual({ kind: "unreachable" });
});
