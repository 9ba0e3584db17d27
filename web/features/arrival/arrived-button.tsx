import { CircleCheck, MapPin } from "lucide-react";
import { useState, lazy, type ReactNode } from "react";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { HOUR_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { formatTime } from "../language/format.ts";
import { Sheet } from "../../ui/sheet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { ShownObstacle } from "./shown-obstacle.ts";
import { LoadBoundary, LoadError, type CaughtError } from "../errors/load-error.tsx";

/** How long before its start the buttons for a block appear. */
export const SHOWN_BEFORE_MS = HOUR_MS;

/** Platforms open the check-in about this long before a block's start; the answer to an earlier try says when. */
const OPENS_BEFORE_MS = 30 * MINUTE_MS;

/** In the address of the installed app's shortcut (`worker/http/pages/site-files.ts`). */
const ARRIVED_HASH = "#arrived";

type CheckInMode = "inside" | "instant";
type BlockAt = { block: Block; now: EpochMs; timeZone: string; obstacle: ShownObstacle | null };

const ArrivedFrame = lazy(async () => ({ default: (await import("./arrived-frame.tsx")).ArrivedFrame }));

/**
 * The buttons with their room: before they appear it says when they will, and without a block it is empty. So they push
 * nothing away.
 */
export function CheckInRoom({ children }: { children?: ReactNode }) {
  return (
    <div
      className="@container mt-1 grid grid-cols-1 items-center *:[grid-area:1/1]"
      data-testid="check-in-room"
    >
      <div aria-hidden className="invisible">
        <CheckInButtons isFirst={false} />
      </div>
      {children}
    </div>
  );
}

/** Comes before the buttons: what keeps the driver from checking in, or when the buttons will appear. */
export function CheckInTime({ block, now, timeZone, obstacle }: BlockAt) {
  const shownAt = block.startsAt - SHOWN_BEFORE_MS;
  if (block.status === "checked_in") return null;
  const passesByItself = obstacle?.kind === "wait" || obstacle?.kind === "offline";
  if (obstacle && (!passesByItself || shownAt <= now)) {
    return <p className="text-sm text-soft">{obstacleMessage(obstacle, { timeZone, now })}</p>;
  }
  if (shownAt <= now) return null;
  return (
    <p className="text-sm text-soft">{m.arrived_from({ time: formatTime(shownAt, { timeZone, now }) })}</p>
  );
}

function obstacleMessage(obstacle: ShownObstacle, reading: { timeZone: string; now: EpochMs }): string {
  switch (obstacle.kind) {
    case "not_linked":
      return m.arrived_link_first();
    case "verification_required":
      return m.arrived_verify_first();
    case "wait":
      return m.arrived_wait_first({ time: formatTime(obstacle.until, reading) });
    case "offline":
      return m.arrived_offline_first();
  }
}

/**
 * Near the start of a block: checks in as soon as the driver is inside the geofence, or right now.
 * @param isSecond whether the screen has an action that matters more
 */
export function ArrivedButton({
  block,
  now,
  timeZone,
  obstacle,
  isSecond = false,
}: BlockAt & { isSecond?: boolean }) {
  // Where the status is one that we don't know, the platform decides if a check-in is possible.
  const isOpen = block.status === "scheduled" || block.status === "other";
  const canCheckIn = block.startsAt - now <= OPENS_BEFORE_MS;
  const isNear = obstacle === null && isOpen && block.startsAt - now <= SHOWN_BEFORE_MS;
  // From the installed app's shortcut, as if the button had been tapped.
  const [mode, setMode] = useState<CheckInMode | null>(() =>
    isNear && location.hash === ARRIVED_HASH ? "inside" : null,
  );
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
      {isNear && <CheckInButtons isFirst={canCheckIn && !isSecond} onChoose={setMode} />}
      <ArrivedSheet mode={mode} onClose={() => setMode(null)} />
    </>
  );
}

function CheckInButtons({ isFirst, onChoose }: { isFirst: boolean; onChoose?: (mode: CheckInMode) => void }) {
  return (
    // Below each other by the room that there is, where the font would decide.
    <div className="flex flex-wrap gap-2 @max-[15rem]:flex-col">
      <Button
        variant={isFirst ? "primary" : "plain"}
        className="flex-auto"
        onClick={() => onChoose?.("inside")}
      >
        <MapPin aria-hidden className="size-5" />
        {m.arrived_button()}
      </Button>
      <Button className="flex-auto" onClick={() => onChoose?.("instant")}>
        {m.arrived_instant()}
      </Button>
    </div>
  );
}

/** The check-in page in a frame over this one, each time with a new token. */
function ArrivedSheet({ mode, onClose }: { mode: "inside" | "instant" | null; onClose: () => void }) {
  return (
    <Sheet open={mode !== null} onClose={onClose} title={m.arrival_title()}>
      {mode && <Opening instant={mode === "instant"} />}
    </Sheet>
  );
}

function Opening({ instant }: { instant: boolean }) {
  const [openingId] = useState(() => crypto.randomUUID());
  return (
    <LoadBoundary skeleton={<Skeleton className="h-80" />} errorComponent={ArrivedError}>
      <ArrivedFrame openingId={openingId} instant={instant} />
    </LoadBoundary>
  );
}

function ArrivedError(caught: CaughtError) {
  return <LoadError {...caught} title={m.arrival_failed()} />;
}
