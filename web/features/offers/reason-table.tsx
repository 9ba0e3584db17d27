import { useQuery, useInfiniteQuery } from "@tanstack/react-query";
import type { JudgedRule, Reason } from "../../../db/shapes/work/verdict.ts";
import type { EpochMs, MinuteOfDay, WarehouseId } from "../../../db/shapes/units.ts";
import { dateFormat } from "../../../locales/format.ts";
import { filtersQuery } from "../../api/queries/filters.ts";
import { useCurrency } from "../../api/queries/use-config.ts";
import { m } from "../../messages/messages.js";
import { dayKey } from "../language/format.ts";
import { changeLabel } from "./change-labels.ts";
import { ChangeButton, MadeChange } from "./made-change.tsx";
import { type OfferFacts, shownHourlyPay } from "./feed-item.ts";
import { offerPlace, type OfferPlace } from "./offer-place.ts";
import { reasonChange, toReasonRow } from "./reason-messages.ts";
import { useFilterChange } from "./use-filter-change.ts";
import { useWarehouses } from "./warehouses.ts";
import { useSelector } from "@tanstack/react-store";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { liveStore } from "../../api/live/live.ts";
import { blocksQuery } from "../../api/queries/blocks.ts";

/** Every reason with the rule and the offer's value, and the change of the filters that removes it. The first one decided. */
export function ReasonTable({
  reasons,
  rule: judgedBy,
  offer,
  place,
  now,
}: {
  reasons: readonly Reason[];
  rule?: JudgedRule | undefined;
  offer: OfferFacts;
  place: OfferPlace;
  now: EpochMs;
}) {
  const warehouses = useWarehouses();
  const filters = useQuery(filtersQuery).data?.filters;
  const currency = useCurrency();
  const changing = useFilterChange();
  const heldId = useOverlappedWarehouse(reasons);
  const heldAt = heldId && offerPlace({ warehouseId: heldId, currency: place.currency }, warehouses);
  const start = {
    date: dayKey(offer.startsAt, place.timeZone),
    minute: minuteAt(offer.startsAt, place.timeZone),
  };
  const hourlyCents = shownHourlyPay({ offer, outcome: { kind: "rejected", reasons } });
  const rows = reasons.map((reason) => ({
    row: toReasonRow(reason, { place, heldAt, now, hourlyCents, judgedBy }),
    code: reason.code,
    change: filters
      ? reasonChange(reason, { filters, warehouseId: offer.warehouseId, ...start, judgedBy })
      : null,
  }));
  const changes = rows.filter(({ change }) => change !== null && change !== "allowed");
  return (
    <section>
      <h3 className="mb-2 text-lg">{m.offer_why()}</h3>
      <ul className="grid gap-2">
        {rows.map(({ row: { title, against, rule, offer: actual }, code, change }, index) => (
          // A later release may have several that we don't know.
          <li key={`${code} ${index}`} className="rounded-field border border-line p-3">
            <p className="font-semibold">{title}</p>
            <dl className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-3">
              <Figure name={against} figure={rule} />
              <Figure name={m.offer_this()} figure={actual} strong />
            </dl>
            {change === "allowed" && <p className="mt-3 text-sm text-soft">{m.change_allowed()}</p>}
            {change !== null && change !== "allowed" && (
              <ChangeButton
                {...{ change, changing }}
                label={changeLabel(change, { warehouses, currency })}
                className="mt-3 w-full"
              />
            )}
          </li>
        ))}
      </ul>
      {changes.length > 1 && <p className="mt-2 text-sm text-soft">{m.offer_changes_all()}</p>}
      {changes.length > 0 && rows.some(({ change }) => change === null) && (
        <p className="mt-2 text-sm text-soft">{m.offer_change_not_enough()}</p>
      )}
      <MadeChange {...{ changing, warehouses, currency }} className="mt-3" />
    </section>
  );
}

/** The minute of the day on a zone's clock. */
function minuteAt(at: EpochMs, timeZone: string): MinuteOfDay {
  const clock = dateFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone });
  const [hours = 0, minutes = 0] = clock.format(at).split(":").map(Number);
  return hours * 60 + minutes;
}

function Figure({ name, figure, strong = false }: { name: string; figure: string; strong?: boolean }) {
  return (
    <div className={strong ? "border-l-2 border-bad pl-3" : "border-l-2 border-line pl-3"}>
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="figures font-semibold">{figure}</dd>
    </div>
  );
}

/**
 * Where the block is that an offer overlaps. Reasons of older offers don't say it: their block is looked for among those
 * held now and the latest that were captured.
 */
function useOverlappedWarehouse(reasons: readonly Reason[]): WarehouseId | null {
  const overlap = reasons.find((reason) => reason.code === "overlaps_block")?.rule;
  const held = useSelector(liveStore, (live) => live.snapshot?.held);
  const fills = ({ startsAt, endsAt }: Block) => startsAt === overlap?.startsAt && endsAt === overlap.endsAt;
  const known = overlap?.warehouseId ?? held?.find(fills)?.warehouseId;
  const isUnknown = overlap !== undefined && known === undefined;
  const { data } = useInfiniteQuery({ ...blocksQuery("won"), enabled: isUnknown });
  if (known !== undefined) return known;
  const won = data?.pages.flatMap(({ items }) =>
    items.flatMap((item) => (item.type === "won" ? [item.block] : [])),
  );
  return won?.find(fills)?.warehouseId ?? null;
}
