import type { PointEntry } from "../../../db/shapes/money/rewards.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { useNow } from "../../ui/use-now.ts";
import { TitledSection } from "../../ui/titled-section.tsx";
import { formatSignedCount, formatTime } from "../language/format.ts";
import { useUser } from "../session/use-user.ts";
import { formatPointEntry } from "./reward-labels.ts";

/** How the points were earned and what they were spent on, newest first. */
export function PointsLedger({ entries }: { entries: readonly PointEntry[] }) {
  const { humanTimezone: timeZone } = useUser();
  const now = useNow(MINUTE_MS);
  return (
    <TitledSection id="points-ledger" title={m.points_history()}>
      <div className="card overflow-hidden">
        {entries.length === 0 ? (
          <p className="p-4 text-soft">{m.points_history_empty()}</p>
        ) : (
          <ul data-testid="points-ledger">
            {entries.map((entry, index) => (
              <li
                // The ledger is only ever longer at its top, and has no ids.
                key={entries.length - index}
                className="figures grid min-h-14 grid-cols-[1fr_auto] items-center gap-x-3 border-b border-line px-4 py-2 last:border-b-0"
              >
                <span>
                  <span className="block font-semibold">{formatPointEntry(entry)}</span>
                  <span className="block text-sm text-soft">{formatTime(entry.at, { timeZone, now })}</span>
                </span>
                <span className={`text-right font-semibold ${entry.points > 0 ? "text-good" : ""}`}>
                  {formatSignedCount(entry.points)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </TitledSection>
  );
}
