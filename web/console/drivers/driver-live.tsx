import { useQuery } from "@tanstack/react-query";
import type { DriverId, EpochMs } from "../../../db/shapes/units.ts";
import { serverNow } from "../../early/server-clock.ts";
import type { DriverLiveResponse } from "../../../worker/contract/console/operator-drivers.ts";
import type { Snapshot } from "../../../db/shapes/work/live.ts";
import { phaseMessage, type Light } from "../../features/dashboard/phase-messages.ts";
import {
  formatBlockLength,
  formatCount,
  formatExactMoney,
  formatShortTimeAgo,
  formatTime,
  formatTimeAgo,
} from "../../features/language/format.ts";
import { type FeedItem, eventToFeedItem } from "../../features/offers/feed-item.ts";
import { offerPlace } from "../../features/offers/offer-place.ts";
import { useNow } from "../../ui/use-now.ts";
import { liveQuery } from "../calls/drivers.ts";
import { DriverCsv } from "./driver-csv.tsx";
import { DataTable, Section, type Column } from "../tables/data-table.tsx";
import { m } from "../messages/messages.js";
import { QueryState } from "../calls/load-states.tsx";
import { outcomeMessage } from "../../features/offers/outcome-mark.tsx";
import { reasonMessage } from "../../features/offers/reason-messages.ts";
import { toAmount, toInstant, type CsvColumn } from "../../ui/csv.ts";

const TICK_MS = 5_000;
const ROWS = 15;

const TONES = {
  answering: "border-good",
  waiting: "border-warn",
  action_required: "border-bad",
  starting: "border-edge",
  asleep: "border-edge",
  off: "border-edge",
} satisfies Record<Light, string>;

/** The driver's present dashboard, in its own words, with the reasons for each offer. */
export function DriverLive({ driverId }: { driverId: DriverId }) {
  const live = useQuery(liveQuery(driverId));
  const snapshot = live.data?.snapshot;
  return (
    <Section
      title={m.live()}
      note={m.live_words()}
      actions={
        snapshot && (
          <DriverCsv
            driverId={driverId}
            part="live"
            table={m.live()}
            columns={() => liveCsv(snapshot, serverNow())}
            rows={liveOffers(snapshot)}
          />
        )
      }
    >
      <QueryState query={live} />
      {snapshot && <LiveState snapshot={snapshot} />}
      {live.data?.failure && <LiveFailure failure={live.data.failure} />}
    </Section>
  );
}

/** Why there is nothing to see, and what works all the same. */
function LiveFailure({ failure }: { failure: NonNullable<DriverLiveResponse["failure"]> }) {
  return (
    <div className="grid gap-2 px-5 pb-4" data-testid="live-failure">
      <p className="font-semibold text-bad">{m.live_failed()}</p>
      <p className="figures text-sm wrap-anywhere">
        {failure.errors.join(" ← ")}
        {failure.place && <span className="block text-soft">{failure.place}</span>}
      </p>
      <p className="text-sm text-soft">{m.live_failed_text()}</p>
    </div>
  );
}

function LiveState({ snapshot }: { snapshot: Snapshot }) {
  const now = useNow(TICK_MS);
  const { phase, timeZone, lastPollAt, today, warehouses } = snapshot;
  const { title, detail, light } = phaseMessage(phase, { timeZone, now });
  const items = liveOffers(snapshot);
  const place = ({ offer }: FeedItem) => offerPlace(offer, warehouses);
  const columns: Column<FeedItem>[] = [
    {
      id: "offer",
      title: m.offer(),
      renderCell: (item) => (
        <>
          <span className="block font-semibold">{place(item).name}</span>
          <span className="figures text-soft">
            {formatTime(item.offer.startsAt, { timeZone: place(item).timeZone, now })} ·{" "}
            {formatBlockLength(item.offer)}
          </span>
        </>
      ),
    },
    {
      id: "outcome",
      title: m.outcome(),
      renderCell: (item) => (
        <>
          {outcomeLines(item, now).map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
          <span className="text-xs text-soft">{formatShortTimeAgo(now - item.at)}</span>
        </>
      ),
    },
    {
      id: "pay",
      title: m.pay(),
      renderCell: ({ offer }) => formatExactMoney(offer.payCents, offer.currency),
      isFigure: true,
    },
  ];
  return (
    <>
      <div
        className={`mx-5 mb-3 rounded-field border-2 px-4 py-3 ${TONES[light]}`}
        data-testid="driver-phase"
      >
        <p className="font-semibold">{title}</p>
        <p className="text-sm text-soft">{detail}</p>
        <p className="figures mt-1 text-sm">
          {lastPollAt === null ? m.live_never() : m.live_checked({ ago: formatTimeAgo(now - lastPollAt) })}
        </p>
        <p className="figures text-sm">
          {m.live_today({
            captured: formatCount(today.captured),
            passed: formatCount(today.passedOver),
            gone: formatCount(today.gone),
          })}
        </p>
      </div>
      <DataTable
        label={m.live()}
        columns={columns}
        rows={items.slice(0, ROWS)}
        rowKey={({ offer }) => offer.offerId}
        empty={m.live_empty_text()}
      />
    </>
  );
}

/** Today's captures and the latest skipped offers, each offer once, as far back as the dashboard goes. */
export function liveOffers({ won, feed }: Snapshot): FeedItem[] {
  return [...won, ...feed]
    .map(eventToFeedItem)
    .filter((item) => item !== null)
    .filter(({ offer }, index, all) => all.findIndex((one) => one.offer.offerId === offer.offerId) === index);
}

/** The columns of a dashboard's offers as a file. */
export function liveCsv({ warehouses }: Pick<Snapshot, "warehouses">, now: EpochMs): CsvColumn<FeedItem>[] {
  return [
    { title: `${m.when()} (UTC)`, value: ({ at }) => toInstant(at) },
    { title: m.warehouse(), value: ({ offer }) => offerPlace(offer, warehouses).name },
    { title: `${m.offer()} (UTC)`, value: ({ offer }) => toInstant(offer.startsAt) },
    { title: m.pay(), value: ({ offer }) => toAmount(offer.payCents) },
    { title: m.currency(), value: ({ offer }) => offer.currency },
    { title: m.outcome(), value: (item) => outcomeLines(item, now).join("; ") },
  ];
}

/** Every reason why an offer was passed over, or what became of it. */
function outcomeLines({ outcome }: FeedItem, now: EpochMs): string[] {
  return outcome.kind === "rejected" ? outcome.reasons.map(reasonMessage) : [outcomeMessage(outcome, now)];
}
