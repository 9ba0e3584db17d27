import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CreditCard } from "lucide-react";
import { useEffect, useRef } from "react";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import type { RenewalNotice } from "../../../worker/contract/money/saved-cards.ts";
import { atOwnPace } from "../../api/client/full-jitter.ts";
import { confirmNoticeSeen, renewalQuery } from "../../api/queries/saved-cards.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { formatMoney, formatTime } from "../language/format.ts";
import { useUser } from "../session/use-user.ts";
import { formatPlan, formatCard } from "./payment-labels.ts";
import { RenewalWaits, useIsServed } from "./renewal-waits.tsx";
import { renewsStore } from "./service-time.tsx";

/** How often an open dashboard asks whether a renewal was announced. */
const ASK_EVERY_MS = 5 * 60_000;

/** The next charge of a renewal, as it was announced. Shown to somebody who looks at the page, it counts as told. */
export function RenewalNoticeCard() {
  const { humanTimezone: timeZone } = useUser();
  const now = useNow(MINUTE_MS);
  const renewal = useQuery({ ...renewalQuery, refetchInterval: atOwnPace(ASK_EVERY_MS) }).data ?? null;
  const notice = renewal?.notice ?? null;
  const isShown = renewal !== null && renewal.chargeAt !== null;
  const ref = useConfirmedWhenSeen(isShown ? notice : null);
  const isServed = useIsServed();
  const renews = isShown && notice !== null && isServed;
  useEffect(() => {
    renewsStore.setState(() => renews);
    return () => renewsStore.setState(() => false);
  }, [renews]);
  if (!renewal || !notice || renewal.chargeAt === null) return null;
  const { chargeAt, currency, plan, card } = renewal;
  const money = formatMoney(notice.cents, currency);
  const isOverdue = !isServed && chargeAt <= now + MINUTE_MS;
  return (
    <section ref={ref} className="card flex flex-wrap items-center gap-3 p-4" data-testid="renewal-notice">
      <CreditCard aria-hidden className="size-5 shrink-0 text-soft" />
      <div className="min-w-40 flex-1">
        <p className="figures font-semibold">
          {isOverdue
            ? m.renew_ahead_waits({ money })
            : m.renew_ahead_title({ when: formatTime(chargeAt, { timeZone, now }), money })}
        </p>
        <p className="figures text-sm text-soft">
          {m.renew_ahead_text({ plan: formatPlan(plan), card: formatCard(card) })}
        </p>
        {!isServed && <RenewalWaits />}
      </div>
      <Link to="/flex/payments" className={buttonClass("plain")}>
        {m.renew_turn_off()}
      </Link>
    </section>
  );
}

/** Confirms the notice once all of it stood on a screen that somebody may look at. */
function useConfirmedWhenSeen(notice: RenewalNotice | null) {
  const ref = useRef<HTMLElement>(null);
  const [end, cents] = [notice?.end ?? null, notice?.cents ?? null];
  useEffect(() => {
    const shown = ref.current;
    if (!shown || end === null || cents === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        if (document.visibilityState !== "visible") return;
        observer.disconnect();
        // Not confirmed by this page, it is by a text or the next page, or nothing is charged.
        confirmNoticeSeen({ end, cents }).catch(() => undefined);
      },
      { threshold: 0.99 },
    );
    observer.observe(shown);
    return () => observer.disconnect();
  }, [end, cents]);
  return ref;
}
