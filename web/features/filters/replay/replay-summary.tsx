import { useId } from "react";
import { CalendarClock, TriangleAlert } from "lucide-react";
import { MODES, type Mode } from "../../../../db/shapes/work/filters.ts";
import { REPLAY_DAYS, type ReplayDays, type ReplayFigures } from "../../../../db/shapes/work/replay.ts";
import { DAY_MS, MINUTE_MS } from "../../../../db/shapes/units.ts";
import type { ReplayResponse } from "../../../../worker/contract/work/replay.ts";
import { m } from "../../../messages/messages.js";
import { Banner } from "../../../ui/notices.tsx";
import { Button } from "../../../ui/button.tsx";
import { EmptyList } from "../../../ui/empty-list.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import {
  DEVICE_TIME_ZONE,
  formatCount,
  formatDate,
  formatExactMoney,
  formatLength,
  formatList,
  formatRate,
} from "../../language/format.ts";
import { MODE_MESSAGES } from "../../offers/mode-messages.ts";
import { offerPlace, warehouseName } from "../../offers/offer-place.ts";
import { useWarehouses } from "../../offers/warehouses.ts";
import { useNow } from "../../../ui/use-now.ts";
import { useUser } from "../../session/use-user.ts";
import { ReplayChanges } from "./replay-changes.tsx";
import { costMessage, formatBlocks, PERIOD_LABELS } from "./replay-messages.ts";

/** A draft's effect on past offers beside that of the saved filters: the sums, warnings, and each block that changes. */
export function ReplaySummary({
  replay,
  isChecking,
  hasFailed,
  checkAgain,
  days,
  onDays,
  mode,
  onMode,
  onDiscard,
  isSaving,
}: {
  replay: ReplayResponse | null;
  isChecking: boolean;
  hasFailed: boolean;
  checkAgain: () => void;
  days: ReplayDays;
  onDays: (days: ReplayDays) => void;
  /** Null for the driver's own. */
  mode: Mode | null;
  onMode: (mode: Mode | null) => void;
  onDiscard: () => void;
  /** Taken back now, the changes would be saved all the same. */
  isSaving: boolean;
}) {
  return (
    <div className="grid grid-cols-1 gap-4" data-testid="replay-sheet" aria-busy={isChecking}>
      <p className="text-sm text-soft">{m.replay_text()}</p>
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">{m.replay_period()}</legend>
        {REPLAY_DAYS.map((each) => (
          <Button
            key={each}
            variant={each === days ? "plain" : "quiet"}
            aria-pressed={each === days}
            onClick={() => onDays(each)}
          >
            {PERIOD_LABELS[each]()}
          </Button>
        ))}
      </fieldset>
      <ModeChoice mode={mode} onMode={onMode} />
      {hasFailed && (
        <Banner Icon={TriangleAlert}>
          {m.replay_failed()}
          <Button variant="quiet" onClick={checkAgain}>
            {m.try_again()}
          </Button>
        </Banner>
      )}
      {!hasFailed && !replay && <Skeleton className="h-64 rounded-card" />}
      {!hasFailed && replay?.since === null && (
        <EmptyList Icon={CalendarClock} title={m.replay_empty()}>
          {m.replay_empty_text()}
        </EmptyList>
      )}
      {!hasFailed && replay && replay.since !== null && <Comparison replay={replay} since={replay.since} />}
      <div className="grid">
        <Button variant="plain" disabled={isSaving} onClick={onDiscard}>
          {m.save_undo()}
        </Button>
      </div>
    </div>
  );
}

/** Another mode can be tried beside the edited filters; it is switched on the dashboard. */
function ModeChoice({ mode, onMode }: { mode: Mode | null; onMode: (mode: Mode | null) => void }) {
  const { mode: own } = useUser();
  const textId = useId();
  return (
    <div className="grid gap-1">
      <fieldset className="flex flex-wrap items-center gap-2" aria-describedby={mode ? textId : undefined}>
        <legend className="contents">
          <span className="text-sm text-soft">{m.mode_title()}</span>
        </legend>
        {MODES.map((each) => {
          const isShown = each === (mode ?? own);
          return (
            <Button
              key={each}
              variant={isShown ? "plain" : "quiet"}
              aria-pressed={isShown}
              onClick={() => onMode(each === own ? null : each)}
            >
              {MODE_MESSAGES[each].name()}
            </Button>
          );
        })}
      </fieldset>
      {mode && (
        <p id={textId} className="text-sm text-soft">
          {m.replay_mode_text()}
        </p>
      )}
    </div>
  );
}

function Comparison({ replay, since }: { replay: ReplayResponse; since: number }) {
  const warehouses = useWarehouses();
  const now = useNow(MINUTE_MS);
  const { currency, gained, dropped, costliest, unseen, staysFrom, warning } = replay;
  const nameOf = (warehouseId: string) =>
    warehouseName(warehouses.find((known) => known.warehouseId === warehouseId));
  const timeZone = warehouses[0]?.timeZone ?? DEVICE_TIME_ZONE;
  return (
    <>
      {warning !== null && (
        <Banner Icon={TriangleAlert}>
          {warning === "nothing" ? m.replay_nothing() : m.replay_everything()}
        </Banner>
      )}
      <Figures replay={replay} />
      {costliest && (
        <p className="font-semibold" data-testid="replay-cost">
          {costMessage(costliest, { currency, warehouse: nameOf(costliest.warehouseId) })}
        </p>
      )}
      {gained.length + dropped.length === 0 && <p>{m.replay_same()}</p>}
      <ReplayChanges
        title={m.replay_gained()}
        changes={gained}
        placeOf={(offer) => offerPlace(offer, warehouses)}
      />
      <ReplayChanges
        title={m.replay_dropped()}
        changes={dropped}
        placeOf={(offer) => offerPlace(offer, warehouses)}
      />
      <div className="grid gap-1 text-sm text-soft">
        <p className="figures">{m.replay_captured({ blocks: formatBlocks(replay.captured, currency) })}</p>
        <p>{m.replay_likely_text()}</p>
        {unseen.length > 0 && <p>{m.replay_unseen({ warehouses: formatList(unseen.map(nameOf)) })}</p>}
        {since > now - (replay.days - 1) * DAY_MS && (
          <p>{m.replay_since({ date: formatDate(since, timeZone) })}</p>
        )}
        {(staysFrom === null || staysFrom > since) && (
          <p>{m.replay_stays({ date: formatDate(staysFrom ?? now, timeZone) })}</p>
        )}
      </div>
    </>
  );
}

const FIGURE =
  "py-2 pl-2 text-right @max-[16rem]:flex @max-[16rem]:flex-wrap @max-[16rem]:justify-between @max-[16rem]:gap-x-2 @max-[16rem]:p-0";

/** The name of a figure's column, where the columns don't fit beside each other. */
function SideOf({ name }: { name: string }) {
  return (
    <span aria-hidden className="hidden text-sm font-normal text-soft @max-[16rem]:inline">
      {name}
    </span>
  );
}

function Figures({ replay }: { replay: ReplayResponse }) {
  const { saved, edited, currency } = replay;
  const rows: readonly { name: string; of: (figures: ReplayFigures) => string }[] = [
    { name: m.replay_row_blocks(), of: ({ blocks }) => formatCount(blocks) },
    { name: m.replay_row_pay(), of: ({ payCents }) => formatExactMoney(payCents, currency) },
    { name: m.replay_row_likely(), of: ({ likelyCents }) => formatExactMoney(likelyCents, currency) },
    { name: m.replay_row_hourly(), of: (figures) => hourlyOf(figures, currency) },
    { name: m.replay_row_hours(), of: ({ minutes }) => formatLength(minutes) },
  ];
  return (
    <div className="@container">
      <table className="figures w-full text-left">
        {/* On a narrow screen each figure has a line with its side. */}
        <thead className="text-sm text-soft @max-[16rem]:sr-only">
          <tr>
            <th scope="col" className="py-1 font-normal">
              {PERIOD_LABELS[replay.days]()}
            </th>
            <th scope="col" className="py-1 pl-2 text-right font-normal">
              {m.replay_saved()}
            </th>
            <th scope="col" className="py-1 pl-2 text-right font-normal">
              {m.replay_edited()}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-y border-line">
          {rows.map(({ name, of }) => (
            <tr key={name} className="@max-[16rem]:block @max-[16rem]:py-2">
              <th
                scope="row"
                className="py-2 text-sm font-normal text-soft @max-[16rem]:block @max-[16rem]:py-0"
              >
                {name}
              </th>
              <td className={FIGURE}>
                <SideOf name={m.replay_saved()} />
                {of(saved)}
              </td>
              <td className={`font-semibold ${FIGURE}`}>
                <SideOf name={m.replay_edited()} />
                {of(edited)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function hourlyOf({ payCents, minutes }: ReplayFigures, currency: string): string {
  return minutes === 0 ? "–" : formatRate(Math.round((payCents * 60) / minutes), currency, formatExactMoney);
}
