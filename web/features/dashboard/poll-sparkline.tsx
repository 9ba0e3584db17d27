import { useSelector } from "@tanstack/react-store";
import { liveStore } from "../../api/live.ts";
import { MAX_POLL_SAMPLES } from "../../api/live-state.ts";
import { m } from "../../messages/messages.js";
import { useNow } from "../../ui/use-now.ts";
import { formatTimeAgo } from "../language/format.ts";

const JUST_NOW_MS = 2000;

/** One dash per poll, drawn like a road; taller where there were open offers. */
export function PollSparkline() {
  const pollSamples = useSelector(liveStore, (live) => live.pollSamples);
  const empty = Array.from({ length: MAX_POLL_SAMPLES - pollSamples.length }, (_, index) => index);
  return (
    <div aria-hidden className="flex h-5 items-center gap-1 overflow-hidden" data-testid="poll-sparkline">
      {empty.map((index) => (
        <span key={index} className="h-0.5 min-w-0.5 flex-1 rounded-full bg-line" />
      ))}
      {pollSamples.map(({ at, offers }, index) => (
        <span
          key={at}
          className={`min-w-0.5 flex-1 origin-right animate-[lay_180ms_ease-out] rounded-full ${offers > 0 ? "h-3.5" : "h-1"} ${
            index === pollSamples.length - 1 ? "bg-signal" : "bg-soft"
          }`}
        />
      ))}
    </div>
  );
}

/** How long ago the last poll was. */
export function LastChecked() {
  const at = useSelector(liveStore, (live) => live.snapshot?.lastPollAt ?? null);
  const now = useNow(1000);
  if (at === null) return m.pulse_never();
  return now - at < JUST_NOW_MS ? m.pulse_now() : m.pulse_ago({ ago: formatTimeAgo(now - at) });
}
