import { useSelector } from "@tanstack/react-store";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { liveStore } from "../../api/live/live.ts";
import { MAX_POLL_SAMPLES, type PollSample } from "../../api/live/live-state.ts";
import { m } from "../../messages/messages.js";
import { useNow } from "../../ui/use-now.ts";
import { formatCountdown, formatTimeAgo } from "../language/format.ts";

const JUST_NOW_MS = 2000;
const LONGEST_SECONDS_MS = 59_000;

/** One dash per answer of the platform, drawn like a road; taller where there were open offers, missing where it gave none. */
export function Pulse({ isAnswering }: { isAnswering: boolean }) {
  const pollSamples = useSelector(liveStore, (live) => live.pollSamples);
  const now = useNow(1000);
  const marks = toPulseMarks(pollSamples, now);
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

/** How many usual intervals without an answer count as a gap. */
const GAP_INTERVALS = 2.5;
/** A slow answer is no gap. */
const SHORTEST_GAP_MS = 6_000;
const GAP_MARKS = 3;

/** An answer, or a place where answers are missing. */
type PulseMark = { at: EpochMs; offers: number } | { at: EpochMs; gap: true };

/** The latest answers of the platform in order, with a few marks where it gave none for much longer than usual. */
export function toPulseMarks(samples: readonly PollSample[], now: EpochMs): PulseMark[] {
  const gapMs = Math.max(SHORTEST_GAP_MS, GAP_INTERVALS * usualInterval(samples));
  const marks = samples.flatMap((sample, index): PulseMark[] => {
    const nextAt = samples[index + 1]?.at ?? now;
    const hasGap = nextAt - sample.at > gapMs;
    const gap = Array.from({ length: hasGap ? GAP_MARKS : 0 }, (_, mark) => ({
      at: sample.at + mark + 1,
      gap: true as const,
    }));
    return [sample, ...gap];
  });
  return marks.slice(-MAX_POLL_SAMPLES);
}

/** The median, so that gaps don't count. */
function usualInterval(samples: readonly PollSample[]): number {
  const intervals = samples.slice(1).map(({ at }, index) => at - (samples[index]?.at ?? at));
  return intervals.toSorted((one, other) => one - other)[Math.floor(intervals.length / 2)] ?? 0;
}
