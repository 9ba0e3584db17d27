import { loadInviterName } from "../../db/queries/rewards/invitations.ts";
import type { Deps } from "../../durable/deps.ts";
import type { InviterResponse } from "../contract/money/invitations.ts";
import { firstNameOf } from "./invitation-text.ts";

/** Describes the driver of a link to strangers, in no more words than the invitation's text. */
export async function describeInviter({ db }: Pick<Deps, "db">, referral: string): Promise<InviterResponse> {
  const name = await loadInviterName(db, referral);
  return { inviter: name === null ? null : { name: firstNameOf(name) } };
}
