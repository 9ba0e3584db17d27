import { beforeEach, describe, expect, it } from "vitest";
import { addPoolUser, findPoolUser } from "../../db/queries/identity/pool-users.ts";
import { createKeys } from "../../durable/runtime/keys.ts";
import {
  findAccount,
  loadVerifier,
  requireConfirmed,
  resealSecrets,
} from "../../worker/identity/accounts/accounts.ts";
import { createPoolContext } from "../../worker/identity/pool-context.ts";
import { cognitoErrors, type CognitoError } from "../../worker/identity/protocol/errors.ts";
import { N } from "../../worker/identity/protocol/srp.ts";
import { poolUser } from "../support/pool-user.ts";
import { KEYS, openPool, OWNER, PHONE, type Pool } from "./pool-harness.ts";

const NEW_KEYS = `new:${"B".repeat(43)}=`;
const FORMER_KEYS = `former:${"C".repeat(43)}=`;

let at: Pool;
beforeEach(() => {
  at = openPool();
});

const user = poolUser({ id: OWNER, phoneNumber: PHONE, password: "v1.gone.a.b" });
const as = ({ type, message }: CognitoError) => expect.objectContaining({ type, message });
const withKeys = (keys: string) => createPoolContext({ ...at.deps, keys: createKeys(keys) });

describe("a name without an account", () => {
  it("has an id and a salt for good, whatever master keys come before the oldest", async () => {
    const { id, user: none, decoy } = await findAccount(at.context, PHONE);
    expect({ id, none, salt: decoy.salt.toString(16) }).toEqual({
      id: "bb4e1b21-9401-45e9-9cd1-2044162715f0",
      none: null,
      salt: "18c6c4e037bfe144e349c6af87c28e40",
    });
    for (const newer of [NEW_KEYS, `${NEW_KEYS},${FORMER_KEYS}`])
      expect(await findAccount(withKeys(`${newer},${KEYS}`), PHONE)).toEqual({ id, user: null, decoy });
    const others = [
      await findAccount(at.context, "+15550100124"),
      await findAccount(withKeys(NEW_KEYS), PHONE),
      await findAccount(createPoolContext({ ...at.deps, poolId: "local_Other" }), PHONE),
    ];
    expect(new Set([decoy, ...others.map((other) => other.decoy)].map(({ salt }) => salt)).size).toBe(4);
  });

  it("has numbers of the group for a verifier, none of them twice", async () => {
    const { verifier, combPowers } = (await findAccount(at.context, PHONE)).decoy;
    expect(combPowers[0]).toBe(verifier);
    expect(new Set(combPowers).size).toBe(4);
    for (const number of combPowers) expect([number > 2n ** 3000n, number < N]).toEqual([true, true]);
  });

  it("is begun with like an account that is there", async () => {
    const account = await findAccount(at.context, PHONE);
    expect(await loadVerifier(at.context, account)).toEqual({ ...account.decoy, keepsBrowsers: true });
  });

  it("is said to be none where the pool says so, in the words of the operation", async () => {
    const pool = createPoolContext({ ...at.deps, settings: { preventUserExistenceErrors: "LEGACY" } });
    await expect(findAccount(pool, PHONE)).rejects.toEqual(as(cognitoErrors.unknownUser()));
    await expect(findAccount(pool, PHONE, cognitoErrors.unknownUserForCode)).rejects.toEqual(
      as(cognitoErrors.unknownUserForCode()),
    );
    await addPoolUser(at.context.db, user);
    expect(await findAccount(pool, PHONE)).toMatchObject({ id: OWNER, user: { phoneNumber: PHONE } });
  });
});

describe("an account", () => {
  it("needs a new password where the present one can't be opened any more", async () => {
    await addPoolUser(at.context.db, user);
    const account = await findAccount(at.context, PHONE);
    await expect(loadVerifier(at.context, account)).rejects.toEqual(as(cognitoErrors.resetRequired()));
  });

  it("does not sign in before it is confirmed, nor while a reset is due", () => {
    expect(() => requireConfirmed({ ...user, status: "UNCONFIRMED" })).toThrow(
      as(cognitoErrors.unconfirmed()),
    );
    expect(() => requireConfirmed({ ...user, status: "RESET_REQUIRED" })).toThrow(
      as(cognitoErrors.resetRequired()),
    );
    for (const free of [user, null]) expect(() => requireConfirmed(free)).not.toThrow();
  });

  it("has its secrets sealed anew under the current key, and what nobody can open left as it is", async () => {
    const { keys } = at.context;
    const secrets = {
      password: await keys.seal("verifier", { plain: "p", context: `password ${OWNER}` }),
      totpSecret: await keys.seal("verifier", { plain: "t", context: `totp ${OWNER}` }),
      totpPending: "v1.gone.a.b",
    };
    await addPoolUser(at.context.db, { ...user, ...secrets });
    const stored = async () => {
      const {
        password = "",
        totpSecret = "",
        totpPending,
      } = (await findPoolUser(at.context.db, PHONE)) ?? {};
      return { password, totpSecret: totpSecret ?? "", totpPending };
    };
    await resealSecrets(at.context, { ...user, ...secrets });
    expect(await stored()).toEqual(secrets);
    const pool = withKeys(`${NEW_KEYS},${KEYS}`);
    await resealSecrets(pool, { ...user, ...secrets });
    const { password, totpSecret, totpPending } = await stored();
    const alone = createKeys(NEW_KEYS);
    expect([
      await alone.open("verifier", { sealed: password, context: `password ${OWNER}` }),
      await alone.open("verifier", { sealed: totpSecret, context: `totp ${OWNER}` }),
      totpPending,
    ]).toEqual(["p", "t", "v1.gone.a.b"]);
  });
});
