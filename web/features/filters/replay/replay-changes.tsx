import { useState } from "react";
import type { ReplayChange } from "../../../../db/shapes/work/replay.ts";
import { MINUTE_MS } from "../../../../db/shapes/units.ts";
import { m } from "../../../messages/messages.js";
import { useNow } from "../../../ui/use-now.ts";
import { countInputs, formatBlockLength, formatTimeRange } from "../../language/format.ts";
import { shownHourlyPay } from "../../offers/feed-item.ts";
import type { OfferPlace } from "../../offers/offer-place.ts";
import { OfferRow } from "../../offers/offer-row.tsx";
import { reasonSummary, toReasonRow } from "../../offers/reason-messages.ts";

/** The blocks that one side alone takes. A tap shows the other side's reasons, each with both figures. */
export function ReplayChanges({
  title,
  changes,
  placeOf,
}: {
  title: string;
  changes: readonly ReplayChange[];
  placeOf: (offer: ReplayChange["offer"]) => OfferPlace;
}) {
  const [openId, setOpenId] = useState<string | null>(null);
  const now = useNow(MINUTE_MS);
  if (changes.length === 0) return null;
  return (
    <section>
      <h3 className="mb-2 flex items-baseline justify-between gap-3 text-lg">
        {title}
        <span className="figures text-sm text-soft">{countInputs(changes.length).figure}</span>
      </h3>
      <ul className="divide-y divide-line overflow-hidden rounded-field border border-line">
        {changes.map((change) => {
          const { offer, reasons, rule, at } = change;
          const place = placeOf(offer);
          const isOpen = openId === offer.offerId;
          const outcome = { kind: "rejected" as const, reasons, rule };
          const when = [formatTimeRange(offer, { timeZone: place.timeZone, now }), formatBlockLength(offer)];
          return (
            <li key={offer.offerId}>
              <OfferRow
                item={{ seq: 0, at, offer, outcome }}
                place={place}
                when={when}
                note={reasons.length > 0 ? reasonSummary(reasons, rule) : m.replay_chosen_over()}
                onOpen={() => setOpenId(isOpen ? null : offer.offerId)}
              />
              {isOpen && reasons.length > 0 && <ReasonFigures {...{ reasons, rule, offer, place, now }} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function ReasonFigures({
  reasons,
  rule: judgedBy,
  offer,
  place,
  now,
}: Pick<ReplayChange, "reasons" | "rule" | "offer"> & { place: OfferPlace; now: number }) {
  const hourlyCents = shownHourlyPay({ offer, outcome: { kind: "rejected", reasons } });
  return (
    <ul className="grid gap-2 px-4 pb-3 text-sm" data-testid="replay-reasons">
      {reasons.map((reason) => {
        const {
          title,
          against,
          rule,
          offer: actual,
        } = toReasonRow(reason, {
          place,
          heldAt: null,
          now,
          hourlyCents,
          judgedBy,
        });
        return (
          <li key={reason.code}>
            <p className="font-semibold">{title}</p>
            <dl className="figures flex flex-wrap gap-x-4 text-soft">
              <div className="flex gap-2">
                <dt>{against}</dt>
                <dd className="text-ink">{rule}</dd>
              </div>
              <div className="flex gap-2">
                <dt>{m.offer_this()}</dt>
                <dd className="text-ink">{actual}</dd>
              </div>
            </dl>
          </li>
        );
      })}
    </ul>
  );
}
