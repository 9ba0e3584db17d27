import type { AccountNotice } from "../../db/queries/accounts/account-notices.ts";
import type { PoolUser } from "../../db/queries/identity/pool-users.ts";

/** An account of the embedded pool, confirmed and without second factors. */
export function poolUser(
  given: Pick<PoolUser, "id" | "phoneNumber"> & Partial<Omit<PoolUser, "id" | "phoneNumber">>,
): PoolUser {
  return {
    phoneVerified: true,
    pendingPhone: null,
    status: "CONFIRMED",
    enabled: true,
    attributes: {},
    password: "sealed",
    smsMfa: false,
    softwareTokenMfa: false,
    preferredMfa: null,
    totpSecret: null,
    totpPending: null,
    totpName: null,
    totpUsedStep: 0,
    createdAt: 0,
    ...given,
  };
}

/** That the account's password was changed, which its owner can undo. */
export function passwordNotice(userId: AccountNotice["userId"]): AccountNotice {
  return {
    id: "n",
    userId,
    kind: "password",
    phoneNumber: "+15550100100",
    language: "en",
    changedAt: 1,
    expiresAt: 2,
    toldAt: 1,
    tokenHash: "h",
  };
}
