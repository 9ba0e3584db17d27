import { useQuery } from "@tanstack/react-query";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { dayOfDate } from "../../../db/shapes/work/local-date.ts";
import { lostDaysQuery } from "../../api/queries/lost-days.ts";
import { m } from "../../messages/messages.js";
import { TitledSection } from "../../ui/titled-section.tsx";
import { formatDate, formatDuration } from "../language/format.ts";

/** The days on which the system could not work, and what came back for them; nothing where there were none. */
export function LostDays() {
  const days = useQuery(lostDaysQuery).data?.days ?? [];
  if (days.length === 0) return null;
  return (
    <div className="mt-6" data-testid="lost-days">
      <TitledSection id="lost-days" title={m.lost_days_title()}>
        <ul className="card divide-y divide-line">
          {days.map(({ date, lostMs, givenMs }) => (
            <li
              key={date}
              className="figures grid gap-x-3 px-4 py-2.5 sm:grid-cols-[1fr_auto] sm:items-center"
            >
              <span>
                {m.lost_days_row({
                  length: formatDuration(lostMs),
                  day: formatDate(dayOfDate(date) * DAY_MS, "UTC"),
                })}
              </span>
              <span className={`text-sm font-semibold ${givenMs > 0 ? "text-good" : "text-soft"}`}>
                {givenMs > 0 ? m.lost_days_given({ length: formatDuration(givenMs) }) : m.lost_days_none()}
              </span>
            </li>
          ))}
        </ul>
      </TitledSection>
    </div>
  );
}
