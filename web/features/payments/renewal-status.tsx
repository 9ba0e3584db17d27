import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { toast } from "../../ui/toast.ts";
import * as z from "zod/mini";
import { planForSale } from "../../../db/shapes/money/plans.ts";
import type { RenewalPause } from "../../../db/shapes/money/renewal.ts";
import { RENEWAL_WORDS } from "../../../db/shapes/money/renewal.ts";
import type { Renewal } from "../../../worker/contract/money/saved-cards.ts";
import { cacheResponse } from "../../api/client/query-client.ts";
import { plansQuery } from "../../api/queries/payments.ts";
import { renewalQuery, saveRenewal } from "../../api/queries/saved-cards.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { FormError } from "../../ui/notices.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { formatDate, formatMoney } from "../language/format.ts";
import { useUser } from "../session/use-user.ts";
import { formatPlan, formatCard } from "./payment-labels.ts";
import { RenewalWaits, useIsServed } from "./renewal-waits.tsx";

/** The driver's renewal: when and for how much, off in one tap with a way back. Null if they never agreed to one. */
export function useRenewal(): Renewal | null {
  return useQuery(renewalQuery).data ?? null;
}

export function RenewalState({ renewal }: { renewal: Renewal }) {
  const { humanTimezone: timeZone, waitingForSpot } = useUser();
  const isServed = useIsServed();
  const queryClient = useQueryClient();
  const { plan, capCents, currency, status } = renewal;
  // One that this page does not know can't be agreed to.
  const sold = z.safeParse(planForSale, plan).data;
  const turnOn = sold && ({ on: true, plan: sold, capCents, words: RENEWAL_WORDS } as const);
  const { mutate, isPending, error } = useMutation({
    mutationFn: saveRenewal,
    onSuccess: (saved, input) => {
      cacheResponse(queryClient, renewalQuery, saved);
      void queryClient.invalidateQueries({ queryKey: plansQuery.queryKey });
      if (input.on || !turnOn) return;
      toast(m.renew_turned_off(), { action: { label: m.renew_undo(), onClick: () => mutate(turnOn) } });
    },
  });
  const money = formatMoney(capCents, currency);
  const card = formatCard(renewal.card);
  // It can be turned off under any name that a later release has for its status.
  const isOn = status === "on" || status === "other";
  const isKnown = status !== "other" && sold !== undefined;
  return (
    <div data-testid="renewal" data-status={status} className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="grid gap-0.5">
          <p className="figures font-semibold">{renewalTitle(renewal, money, timeZone)}</p>
          <p className="figures text-sm text-soft">
            {isOn && isKnown && m.renew_what({ plan: formatPlan(plan), card })}
            {renewal.pause && PAUSE_MESSAGES[renewal.pause]({ plan: formatPlan(plan), money })}
          </p>
          {isOn && !isServed && <RenewalWaits />}
        </div>
        <div className="flex flex-wrap gap-2">
          {status === "paused" && !waitingForSpot && (
            <Link to="/flex/payments" search={{ again: 1 }} className={buttonClass("plain")}>
              {m.service_add()}
            </Link>
          )}
          {(isOn || turnOn) && (
            <Button
              aria-disabled={isPending}
              onClick={() => isPending || mutate(isOn || !turnOn ? { on: false } : turnOn)}
            >
              {isOn ? m.renew_turn_off() : m.renew_turn_on()}
            </Button>
          )}
        </div>
      </div>
      {!isOn && isKnown && (
        <p className="text-sm text-soft">{m.renew_on_text({ plan: formatPlan(plan), money })}</p>
      )}
      {error && <FormError title={m.renew_failed()} hint={errorMessage(error)} />}
    </div>
  );
}

function renewalTitle({ status, chargeAt }: Renewal, money: string, timeZone: string): string {
  if (status === "off") return m.renew_off();
  if (status === "paused") return m.renew_paused();
  if (status === "other") return m.renew_other();
  return chargeAt === null
    ? m.renew_on_unknown({ money })
    : m.renew_on({ when: formatDate(chargeAt, timeZone), money });
}

const PAUSE_MESSAGES = {
  over_cap: m.renew_paused_over_cap,
  needs_bank: m.renew_paused_needs_bank,
  declined: m.renew_paused_declined,
  method_gone: m.renew_paused_method_gone,
  plan_gone: m.renew_paused_plan_gone,
  not_served: m.renew_paused_not_served,
  failed: m.renew_paused_failed,
  card_disputed: m.renew_paused_card_disputed,
  untold: m.renew_paused_untold,
  refunded: m.renew_paused_refunded,
} satisfies Record<RenewalPause, (values: { plan: string; money: string }) => string>;
