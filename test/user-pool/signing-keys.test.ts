import { beforeEach, describe, expect, it } from "vitest";
import { createKeys } from "../../durable/runtime/keys.ts";
import {
  loadOrCreateSigningKeys,
  maintainSigningKeys,
  publicKeySet,
  resealSigningKeys,
  verificationKeySet,
} from "../../worker/identity/tokens/signing-keys.ts";
import { openMember, type Member } from "./member.ts";
import { KEYS, NOW } from "./pool-harness.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** An hour, which tokens live, and ten minutes for clocks that differ. */
const OUTLIVES_MS = 70 * MINUTE_MS;

let at: Member;
beforeEach(() => {
  at = openMember();
  at.run(`UPDATE pool_signing_keys SET kid = key_use || ' 0', signs_from = ?`, NOW - 90 * DAY_MS);
});

type Key = { use?: "id" | "access"; generation?: number; signsFrom?: number; revokedAt?: number | null };

/** Another key, of the same numbers as the first one of its use. */
function add({ use = "access", generation = 1, signsFrom = NOW, revokedAt = null }: Key = {}): void {
  at.run(
    `INSERT INTO pool_signing_keys SELECT key_use, ?, ?, private_key, modulus, created_at, ?, rotates_at, ?
      FROM pool_signing_keys WHERE key_use = ? AND generation = 0`,
    generation,
    `${use} ${generation}`,
    signsFrom,
    revokedAt,
    use,
  );
}

const kids = async (use: "id" | "access" = "access") =>
  (await verificationKeySet(at.context, use)).keys.map(({ kid }) => kid);

describe("the keys that tokens are verified with", () => {
  it("are those of their use", async () => {
    expect([await kids("id"), await kids("access")]).toEqual([["id 0"], ["access 0"]]);
  });

  it("have one that was followed until its last token has expired", async () => {
    add({ signsFrom: NOW - OUTLIVES_MS + 1 });
    expect(await kids()).toEqual(["access 1", "access 0"]);
    at.clock.now += 1;
    expect(await kids()).toEqual(["access 1"]);
    expect(await kids("id")).toEqual(["id 0"]);
  });

  it("lose a key by the first that followed it, not by later ones or those that were revoked", async () => {
    add({ generation: 1, signsFrom: NOW - OUTLIVES_MS });
    add({ generation: 2, signsFrom: NOW + DAY_MS });
    expect(await kids()).toEqual(["access 2", "access 1"]);
    at.run(`UPDATE pool_signing_keys SET revoked_at = 0 WHERE kid = 'access 1'`);
    expect(await kids()).toEqual(["access 2", "access 0"]);
  });
});

describe("the keys that sign", () => {
  it("are made anew where none can be opened, after those that are there", async () => {
    at = openMember();
    const { id } = await loadOrCreateSigningKeys(at.context);
    at.run(`UPDATE pool_signing_keys SET generation = 5 WHERE key_use = 'id'`);
    at.run(`UPDATE pool_signing_keys SET private_key = 'v1.gone.a.b' WHERE key_use = 'access'`);
    const { keys } = await publicKeySet(at.context);
    expect(keys.map(({ kid }) => kid)).toContain(id.kid);
    expect(
      at.rows(`SELECT key_use, generation, signs_from, rotates_at, revoked_at FROM pool_signing_keys`),
    ).toEqual(
      expect.arrayContaining([
        {
          key_use: "access",
          generation: 1,
          signs_from: NOW,
          rotates_at: NOW + 90 * DAY_MS,
          revoked_at: null,
        },
      ]),
    );
    expect(keys).toHaveLength(3);
    const { access } = await loadOrCreateSigningKeys(at.context);
    expect(keys.find(({ kid }) => kid === access.kid)).toEqual({
      alg: "RS256",
      e: "AQAB",
      kid: access.kid,
      kty: "RSA",
      n: expect.stringMatching(/^[\w-]{340,}$/),
      use: "sig",
    });
  });

  it("sign from their time on, and no longer once they are revoked", async () => {
    at = openMember();
    at.run(`UPDATE pool_signing_keys SET rotates_at = ? WHERE key_use = 'id'`, NOW);
    expect(await maintainSigningKeys(at.context)).toEqual({ made: 1, deleted: 0 });
    const kid = async () => (await loadOrCreateSigningKeys(at.context)).id.kid;
    const first = await kid();
    at.clock.now = NOW + DAY_MS - 1;
    expect(await kid()).toBe(first);
    at.clock.now += 1;
    const next = await kid();
    expect(next).not.toBe(first);
    at.run(`UPDATE pool_signing_keys SET revoked_at = 0 WHERE kid = ?`, next);
    expect(await kid()).toBe(first);
  });

  it("are sealed anew under the current master key, but for those that nobody can open", async () => {
    at = openMember();
    const sealed = () =>
      at
        .rows(`SELECT kid, private_key FROM pool_signing_keys ORDER BY key_use`)
        .map(({ kid, private_key }) => ({
          context: String(kid),
          sealed: String(private_key),
        }));
    at.run(`UPDATE pool_signing_keys SET private_key = 'v1.gone.a.b' WHERE key_use = 'id'`);
    const before = sealed();
    await resealSigningKeys(at.context);
    expect(sealed()).toEqual(before);
    const newKeys = `new:${"B".repeat(43)}=`;
    await resealSigningKeys({ ...at.context, keys: createKeys(`${newKeys},${KEYS}`) });
    const [access, id] = sealed();
    expect(id?.sealed).toBe("v1.gone.a.b");
    const opened = access && (await createKeys(newKeys).open("signing", access));
    expect(JSON.parse(opened ?? "{}")).toMatchObject({ kty: "RSA" });
  });
});

describe("the upkeep of keys", () => {
  it("makes the next ones where it is time, which sign a day later", async () => {
    at.run(`UPDATE pool_signing_keys SET rotates_at = ?`, NOW + 1);
    expect(await maintainSigningKeys(at.context)).toEqual({ made: 0, deleted: 0 });
    at.run(`UPDATE pool_signing_keys SET rotates_at = ? WHERE key_use = 'id'`, NOW);
    expect(await maintainSigningKeys(at.context)).toEqual({ made: 1, deleted: 0 });
    expect(
      at.rows(`SELECT key_use, generation, signs_from FROM pool_signing_keys WHERE generation > 0`),
    ).toEqual([{ key_use: "id", generation: 1, signs_from: NOW + DAY_MS }]);
    expect(await maintainSigningKeys(at.context)).toEqual({ made: 0, deleted: 0 });
  });

  it("counts generations from the newest, also where that was revoked, and follows none that was", async () => {
    at.run(`UPDATE pool_signing_keys SET rotates_at = ?`, NOW + 1);
    add({ generation: 4, signsFrom: NOW + 1, revokedAt: NOW });
    at.run(`UPDATE pool_signing_keys SET rotates_at = ? WHERE kid = 'access 0'`, NOW);
    expect(await maintainSigningKeys(at.context)).toEqual({ made: 1, deleted: 0 });
    expect(at.rows(`SELECT generation FROM pool_signing_keys WHERE generation > 4`)).toEqual([
      { generation: 5 },
    ]);
  });

  it("deletes what was retired or revoked once it signs no more, and nothing that is yet to sign", async () => {
    at.run(`UPDATE pool_signing_keys SET rotates_at = ?`, NOW + 1);
    add({ generation: 1, signsFrom: NOW - OUTLIVES_MS });
    add({ use: "id", generation: 1, signsFrom: NOW, revokedAt: NOW });
    add({ use: "id", generation: 2, signsFrom: NOW + 1, revokedAt: NOW });
    expect(await maintainSigningKeys(at.context)).toEqual({ made: 0, deleted: 2 });
    const left = at.rows(`SELECT kid FROM pool_signing_keys ORDER BY kid`).map((row) => row["kid"]);
    expect(left).toEqual(["access 1", "id 0", "id 2"]);
  });
});
