import type { Keys } from "../../durable/runtime/keys.ts";
import { linkedId } from "../../db/queries/payments/renewal-consents.ts";
import type { Deps } from "../../durable/deps.ts";
import { readSignedIds, signIds } from "../identity/signed-ids.ts";

/** A link's one use: it ends a renewal, or shows the receipts of a deleted account. */
export type OwnerLinkUse = "renewal" | "receipts";

/**
 * The token of a link that is opened without signing in.
 * @param id a UUID
 * @returns null for an id of another form
 */
export function makeOwnerLink(keys: Keys, use: OwnerLinkUse, id: string): Promise<string | null> {
  return signIds(keys, use, [id]);
}

/** The id in a link's token, also of one that was made under an older key; null if it is forged or for another use. */
export async function readOwnerLink(keys: Keys, use: OwnerLinkUse, token: string): Promise<string | null> {
  const [id] = (await readSignedIds(keys, use, { token, count: 1 })) ?? [];
  return id ?? null;
}

/** The token of the link that turns the renewal of a consent off. */
export function makeRenewalLink(
  { deps }: { deps: Pick<Deps, "keys"> },
  consentId: string,
): Promise<string | null> {
  return makeOwnerLink(deps.keys, "renewal", linkedId(consentId));
}
