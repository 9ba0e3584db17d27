import { decodeProtectedHeader, SignJWT } from "jose";
import { beforeEach, expect, it } from "vitest";
import { d1 } from "./database.ts";
import { loadOrCreateSigningKeys } from "../../worker/identity/tokens/signing-keys.ts";
import { claimsOf, factsOf, openPoolHarness, type PoolHarness } from "./harness.ts";

const DAY_MS = 24 * 3_600_000;

let harness: PoolHarness;
beforeEach(async () => {
  harness = await openPoolHarness();
});

const kidOf = (token: string) => decodeProtectedHeader(token).kid;
const publishedKids = async () => (await harness.pool.publicKeys()).keys.map(({ kid }) => kid);
const statusOf = async (AccessToken: string) => (await harness.call("GetUser", { AccessToken })).status;

it("publishes the next keys after 90 days, signs with them a day later, and retires the old ones with their last token", async () => {
  const account = await harness.register();
  const first = await harness.signIn(account);
  harness.advanceClock(90 * DAY_MS - 1000);
  expect(await harness.pool.maintainSigningKeys()).toEqual({ made: 0, deleted: 0 });
  harness.advanceClock(1000);
  expect(await harness.pool.maintainSigningKeys()).toEqual({ made: 2, deleted: 0 });
  expect(await harness.pool.maintainSigningKeys()).toEqual({ made: 0, deleted: 0 });
  expect(await publishedKids()).toHaveLength(4);
  harness.advanceClock(DAY_MS - 1000);
  const last = await harness.signIn(account);
  expect(kidOf(last.IdToken)).toBe(kidOf(first.IdToken));
  harness.advanceClock(1000);
  const next = await harness.signIn(account);
  expect(await publishedKids()).toEqual(expect.arrayContaining([kidOf(next.IdToken), kidOf(last.IdToken)]));
  expect(kidOf(next.AccessToken)).not.toBe(kidOf(last.AccessToken));
  // The last token of the old keys is good to its end.
  harness.advanceClock(59 * 60_000);
  expect([await statusOf(last.AccessToken), await statusOf(next.AccessToken)]).toEqual([200, 200]);
  harness.advanceClock(11 * 60_000);
  expect((await publishedKids()).toSorted()).toEqual(
    [kidOf(next.IdToken), kidOf(next.AccessToken)].toSorted(),
  );
  expect(await harness.pool.maintainSigningKeys()).toEqual({ made: 0, deleted: 2 });
  expect((await d1.prepare("SELECT kid FROM pool_signing_keys").all()).results).toHaveLength(2);
});

it("rotates on an operator's command, gracefully", async () => {
  const account = await harness.register();
  const first = await harness.signIn(account);
  await d1.prepare("UPDATE pool_signing_keys SET rotates_at = 0").run();
  expect(await harness.pool.maintainSigningKeys()).toEqual({ made: 2, deleted: 0 });
  expect(await harness.pool.maintainSigningKeys()).toEqual({ made: 0, deleted: 0 });
  harness.advanceClock(DAY_MS);
  const next = await harness.signIn(account);
  expect(kidOf(next.IdToken)).not.toBe(kidOf(first.IdToken));
});

it("refuses every token of a key that an operator revoked, and signs with new ones at once", async () => {
  const account = await harness.register();
  const leaked = await harness.signIn(account);
  await d1.prepare("UPDATE pool_signing_keys SET revoked_at = unixepoch() * 1000").run();
  expect(await statusOf(leaked.AccessToken)).toBe(400);
  const next = await harness.signIn(account);
  expect((await publishedKids()).toSorted()).toEqual(
    [kidOf(next.IdToken), kidOf(next.AccessToken)].toSorted(),
  );
  expect(await statusOf(next.AccessToken)).toBe(200);
  const refresh = { ClientId: harness.clientId, RefreshToken: leaked.RefreshToken };
  expect((await harness.call("GetTokensFromRefreshToken", refresh)).status).toBe(200);
  expect(await harness.pool.maintainSigningKeys()).toEqual({ made: 0, deleted: 2 });
});

/** A token signed by the pool's own key, with changed claims. */
async function forge(token: string, change: Record<string, unknown>): Promise<string> {
  const { access } = await loadOrCreateSigningKeys(harness.context);
  return new SignJWT({ ...claimsOf(token), ...change })
    .setProtectedHeader({ kid: access.kid, alg: "RS256" })
    .sign(access.key);
}

it("refuses a well-signed token whose session is another account's, or whose lifetime isn't ours", async () => {
  const [mine, other] = [await harness.signIn(await harness.register()), await harness.register()];
  const { iat } = claimsOf(mine.AccessToken);
  const changes = [
    { sub: other.sub, username: other.sub },
    { exp: Number(iat) + 86_400 },
    { exp: Number(iat) + 3599 },
  ];
  for (const change of changes) expect(await statusOf(await forge(mine.AccessToken, change))).toBe(400);
  expect(await statusOf(await forge(mine.AccessToken, {}))).toBe(200);
  const facts = factsOf(mine.IdToken);
  const theirs = factsOf((await harness.signIn(other)).IdToken);
  const areLive = [
    facts,
    { ...facts, userId: theirs.userId },
    { ...facts, lifetimeSeconds: 86_400 },
    { ...facts, originJti: theirs.originJti },
    facts,
  ].map((token) => harness.pool.isTokenLive(token));
  expect(await Promise.all(areLive)).toEqual([true, false, false, false, true]);
});

it("takes no key for id tokens in place of one for access tokens", async () => {
  const { AccessToken } = await harness.signIn(await harness.register());
  const { id } = await loadOrCreateSigningKeys(harness.context);
  const token = await new SignJWT(claimsOf(AccessToken))
    .setProtectedHeader({ kid: id.kid, alg: "RS256" })
    .sign(id.key);
  expect(await statusOf(token)).toBe(400);
});
