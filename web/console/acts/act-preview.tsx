import { DAY_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { DriverPage } from "../../../worker/contract/console/operator-drivers.ts";
import { DEVICE_TIME_ZONE, formatCount, formatTime } from "../../features/language/format.ts";
import { useNow } from "../../ui/use-now.ts";
import type { ActDraft } from "./act-form.ts";
import { parseChange } from "../forms/amounts.ts";
import { m } from "../messages/messages.js";

/** How an act will change service or points, before it is done. */
export function ActPreview({ draft, figure, page }: { draft: ActDraft; figure: string; page: DriverPage }) {
  const now = useNow(MINUTE_MS);
  const change = parseChange(figure);
  if (change === null) return null;
  if (draft.act === "points") {
    const { balance } = page.points;
    return (
      <output className="block figures text-sm">
        {m.preview_points({ before: formatCount(balance), after: formatCount(balance + change) })}
      </output>
    );
  }
  if (draft.act !== "days") return null;
  const { until, unusedMs } = page.service;
  const time = (at: number) => formatTime(at, { timeZone: DEVICE_TIME_ZONE, now });
  const before = until === null ? m.service_none() : time(until);
  return (
    <output className="block figures text-sm">
      {m.preview_service({ before, after: time(now + Math.max(0, unusedMs + change * DAY_MS)) })}
    </output>
  );
}
