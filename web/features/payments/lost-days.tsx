import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { History } from "lucide-react";
import type { LostDayLine } from "../../../worker/contract/money/service.ts";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import { dayOfDate } from "../../../db/shapes/work/local-date.ts";
import { lostDaysQuery } from "../../api/queries/service-time.ts";
import { m } from "../../messages/messages.js";
import { TitledSection } from "../../ui/titled-section.tsx";
import { useNow } from "../../ui/use-now.ts";
import { formatDate, formatDuration } from "../language/format.ts";

/** The dashboard shows a day for so long. */
const SHOWN_MS = 8 * DAY_MS;

/** On the dashboard, the latest of the last days on which the system could not work; nothing where there was none. */
export function LatestLostDay() {
  const day = useQuery(lostDaysQuery).data?.days[0];
  const now = useNow(HOUR_MS);
  if (!day || dayOfDate(day.date) * DAY_MS < now - SHOWN_MS) return null;
  return (
    <Link
      to="/flex/payments"
      data-testid="lost-day"
      className="card flex items-start gap-3 p-4 hover:bg-sunken sm:p-5"
    >
      <History aria-hidden className="mt-0.5 size-5 shrink-0 text-soft" />
      <span className="figures grid min-w-0 gap-0.5">
        <span>{lostText(day)}</span>
        {day.givenMs > 0 && <span className="text-sm font-semibold text-good">{givenText(day)}</span>}
      </span>
    </Link>
  );
}

function lostText({ date, lostMs }: LostDayLine): string {
  return m.lost_days_row({
    length: formatDuration(lostMs),
    day: formatDate(dayOfDate(date) * DAY_MS, "UTC"),
  });
}

function givenText({ givenMs }: LostDayLine): string {
  return givenMs > 0 ? m.lost_days_given({ length: formatDuration(givenMs) }) : m.lost_days_none();
}

/** The days on which the system could not work, and what came back for them; nothing where there were none. */
export function LostDays() {
  const days = useQuery(lostDaysQuery).data?.days ?? [];
  if (days.length === 0) return null;
  return (
    <div className="mt-6" data-testid="lost-days">
      <TitledSection id="lost-days" title={m.lost_days_title()}>
        <ul className="card divide-y divide-line">
          {days.map((day) => (
            <li
              key={day.date}
              className="figures grid gap-x-3 px-4 py-2.5 sm:grid-cols-[1fr_auto] sm:items-center"
            >
              <span>{lostText(day)}</span>
              <span className={`text-sm font-semibold ${day.givenMs > 0 ? "text-good" : "text-soft"}`}>
                {givenText(day)}
              </span>
            </li>
          ))}
        </ul>
      </TitledSection>
    </div>
  );
}
