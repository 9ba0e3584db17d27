import { CircleCheck, MapPin } from "lucide-react";
import { useState } from "react";
import type { Block } from "../../../db/shapes/offer.ts";
import { HOUR_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { formatTime } from "../language/format.ts";
import { ArrivedSheet } from "./arrived-sheet.tsx";

/** How long before its start the buttons for a block appear. */
const SHOWN_BEFORE_MS = HOUR_MS;

/** Platforms open the check-in about this long before a block's start; the answer to an earlier try says when. */
const OPENS_BEFORE_MS = 30 * MINUTE_MS;

/** Near the start of a block: checks in as soon as the driver is inside the geofence, or right now. */
export function ArrivedButton({ block, now, timeZone }: { block: Block; now: EpochMs; timeZone: string }) {
  const [mode, setMode] = useState<"inside" | "instant" | null>(null);
  // Where the status is one that we don't know, the platform decides if a check-in is possible.
  const isOpen = block.status === "scheduled" || block.status === "other";
  const canCheckIn = block.startsAt - now <= OPENS_BEFORE_MS;
  const isNear = isOpen && block.startsAt - now <= SHOWN_BEFORE_MS;
  return (
    <>
      {block.status === "checked_in" && (
        <p className="flex items-center gap-2 font-semibold text-good">
          <CircleCheck aria-hidden className="size-5" />
          {block.checkedInAt === null
            ? m.arrived_checked_in()
            : m.arrived_checked_in_at({ time: formatTime(block.checkedInAt, { timeZone, now }) })}
        </p>
      )}
      {isNear && (
        <div className="mt-1 flex flex-wrap gap-2">
          <Button
            variant={canCheckIn ? "primary" : "plain"}
            className="flex-auto"
            onClick={() => setMode("inside")}
          >
            <MapPin aria-hidden className="size-5" />
            {m.arrived_button()}
          </Button>
          <Button className="flex-auto" onClick={() => setMode("instant")}>
            {m.arrived_instant()}
          </Button>
        </div>
      )}
      <ArrivedSheet mode={mode} onClose={() => setMode(null)} />
    </>
  );
}
