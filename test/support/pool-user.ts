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
