import { useSelector } from "@tanstack/react-store";
import { liveStore } from "../../api/live.ts";
import { PULSES_KEPT } from "../../api/live-state.ts";
import { m } from "../../messages/messages.js";
import { useNow } from "../../ui/use-now.ts";
import { sayAgo } from "../language/format.ts";

const JUST_NOW_MS = 2000;

/** The road: each poll lays one dash of the line, a tall one where offers stood open. */
export function Pulse() {
  const pulses = useSelector(liveStore, (live) => live.pulses);
  const empty = Array.from({ length: PULSES_KEPT - pulses.length }, (_, place) => place);
  return (
    <div aria-hidden className="flex h-5 items-center gap-1 overflow-hidden" data-testid="pulse">
      {empty.map((place) => (
        <span key={place} className="h-0.5 min-w-0.5 flex-1 rounded-full bg-line" />
      ))}
      {pulses.map(({ at, offers }, place) => (
        <span
          key={at}
          className={`min-w-0.5 flex-1 origin-right animate-[lay_180ms_ease-out] rounded-full ${offers > 0 ? "h-3.5" : "h-1"} ${
            place === pulses.length - 1 ? "bg-signal" : "bg-soft"
          }`}
        />
      ))}
    </div>
  );
}

/** When it last looked. */
export function LastLook() {
  const at = useSelector(liveStore, (live) => live.snapshot?.lastPollAt ?? null);
  const now = useNow(1000);
  if (at === null) return m.pulse_never();
  return now - at < JUST_NOW_MS ? m.pulse_now() : m.pulse_ago({ ago: sayAgo(now - at) });
}
