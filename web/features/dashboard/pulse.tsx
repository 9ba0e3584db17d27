import { useSelector } from "@tanstack/react-store";
import { liveStore } from "../../api/live/live.ts";
import { MAX_POLL_SAMPLES } from "../../api/live/live-state.ts";
import { m } from "../../messages/messages.js";
import { useNow } from "../../ui/use-now.ts";
import { formatCountdown, formatTimeAgo } from "../language/format.ts";
import { toPulseMarks, type PulseMark } from "./pulse-gaps.ts";

const JUST_NOW_MS = 2000;
const LONGEST_SECONDS_MS = 59_000;

/** One dash per answer of the platform, drawn like a road; taller where there were open offers, missing where it gave none. */
export function Pulse({ isAnswering }: { isAnswering: boolean }) {
  const pollSamples = useSelector(liveStore, (live) => live.pollSamples);
  const now = useNow(1000);
  const marks = toPulseMarks(pollSamples, now).slice(-MAX_POLL_SAMPLES);
  const empty = Array.from({ length: MAX_POLL_SAMPLES - marks.length }, (_, index) => index);
  return (
    <div aria-hidden className="flex h-4 items-center gap-1 overflow-hidden" data-testid="pulse">
      {empty.map((index) => (
        <span key={index} className="h-0.5 min-w-0.5 flex-1 rounded-full bg-line" />
      ))}
      {marks.map((mark, index) => (
        <span
          key={mark.at}
          className={`min-w-0.5 flex-1 origin-right rounded-full ${markClass(mark, isAnswering && index === marks.length - 1)}`}
        />
      ))}
    </div>
  );
}

function markClass(mark: PulseMark, isLatest: boolean): string {
  if ("gap" in mark) return "h-0.5 bg-transparent";
  return `animate-[lay_180ms_ease-out] ${mark.offers > 0 ? "h-3.5" : "h-1"} ${isLatest ? "bg-signal" : "bg-soft"}`;
}

/** How long ago the platform last answered, and when it is asked again. */
export function AnswerTime({ isWaiting, retryAt }: { isWaiting: boolean; retryAt: number | null }) {
  const at = useSelector(liveStore, (live) => live.snapshot?.lastPollAt ?? null);
  const now = useNow(1000);
  return (
    <>
      <span className="grid *:[grid-area:1/1]">
        {/* The room that any second needs, so that the line breaks in none of them. */}
        {!isWaiting && (
          <span aria-hidden className="invisible">
            {m.pulse_ago({ ago: formatTimeAgo(LONGEST_SECONDS_MS) })}
          </span>
        )}
        <span>{answerText({ at, now, isWaiting })}</span>
      </span>
      {retryAt !== null && retryAt > now && (
        <span className="font-semibold text-ink">
          {m.pulse_next({ left: formatCountdown(Math.ceil((retryAt - now) / 1000)) })}
        </span>
      )}
    </>
  );
}

function answerText({ at, now, isWaiting }: { at: number | null; now: number; isWaiting: boolean }): string {
  if (at === null) return isWaiting ? m.pulse_no_answer() : m.pulse_never();
  if (isWaiting) return m.pulse_last_answer({ ago: formatTimeAgo(now - at) });
  return now - at < JUST_NOW_MS ? m.pulse_now() : m.pulse_ago({ ago: formatTimeAgo(now - at) });
}
