import { useQuery } from "@tanstack/react-query";
import { Gift } from "lucide-react";
import { inviterQuery } from "../../api/queries/inviter.ts";
import { m } from "../../messages/messages.js";
import { useProductName } from "../../api/queries/use-config.ts";

/** The friend whose link was opened, by first name. Nothing where the referral is no driver's. */
export function InvitedBy({ referral }: { referral: string }) {
  const { data: inviter } = useQuery(inviterQuery(referral));
  const product = useProductName();
  if (!inviter) return null;
  return (
    <p data-testid="invited-by" className="card flex items-center gap-3 px-4 py-3">
      <Gift aria-hidden className="size-5 shrink-0" />
      <span>
        {inviter.name === null
          ? m.register_invited({ product })
          : m.register_invited_by({ name: inviter.name, product })}
      </span>
    </p>
  );
}
