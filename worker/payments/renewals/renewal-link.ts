import { linkedId } from "../../../db/queries/payments/renewal-consents.ts";
import type { Deps } from "../../../durable/deps.ts";
import { makeOwnerLink } from "../owner-link.ts";

/** The token of the link that turns the renewal of a consent off. */
export function makeRenewalLink(
  { deps }: { deps: Pick<Deps, "keys"> },
  consentId: string,
): Promise<string | null> {
  return makeOwnerLink(deps.keys, "renewal", linkedId(consentId));
}
