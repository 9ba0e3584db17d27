import { codeOf } from "../../api/problem.ts";
import { m } from "../../messages/messages.js";
import { sayDayTime, sayDistance } from "../language/format.ts";
import { sayProblem } from "../language/problem-words.ts";
import type { Standing } from "./standing.ts";

/** `done` is what one came for, `wait` goes on by itself, `needs` waits for the driver. */
type Tone = "done" | "wait" | "needs";

export type ArrivalWords = { title: string; text: string; tone: Tone };

/** How it stands, and what to do. `instant`: nothing is tried by itself. */
export function sayStanding(
  standing: Standing,
  { instant, timeZone }: { instant: boolean; timeZone: string },
): ArrivalWords {
  switch (standing.kind) {
    case "none":
      return { title: m.arrival_none(), text: m.arrival_none_text(), tone: "needs" };
    case "locating":
      return { title: m.arrival_locating(), text: m.arrival_locating_text(), tone: "wait" };
    case "denied":
      return { title: m.arrival_denied(), text: m.arrival_denied_text(), tone: "needs" };
    case "unavailable":
      return { title: m.arrival_unavailable(), text: m.arrival_unavailable_text(), tone: "needs" };
    case "coarse": {
      const accuracy = sayDistance(standing.accuracyMeters);
      return { title: m.arrival_coarse(), text: m.arrival_coarse_text({ accuracy }), tone: "needs" };
    }
    case "outside":
      return {
        title:
          standing.distanceMeters === null
            ? m.arrival_outside_plain()
            : m.arrival_outside({ distance: sayDistance(standing.distanceMeters) }),
        text: instant ? m.arrival_outside_instant_text() : m.arrival_outside_text(),
        tone: "wait",
      };
    case "early":
      return sayEarly(standing.opensAt, { instant, timeZone });
    case "inside":
      return {
        title: m.arrival_inside(),
        text: instant ? m.arrival_inside_instant_text() : m.arrival_checking_text(),
        tone: "wait",
      };
    case "checking":
      return { title: m.arrival_checking(), text: m.arrival_checking_text(), tone: "wait" };
    case "late":
      return { title: m.arrival_late(), text: m.arrival_late_text(), tone: "needs" };
    case "done":
      return {
        title: m.arrival_done(),
        text: standing.already ? m.arrival_done_already_text() : m.arrival_done_text(),
        tone: "done",
      };
    case "failed": {
      const words = sayFailure(standing.error);
      const text = standing.goesOn && !instant ? `${words} ${m.arrival_failed_again()}` : words;
      return { title: m.arrival_failed(), text, tone: "needs" };
    }
  }
}

function sayEarly(
  opensAt: number | null,
  { instant, timeZone }: { instant: boolean; timeZone: string },
): ArrivalWords {
  if (opensAt === null) {
    const text = instant ? m.arrival_early_instant_text() : m.arrival_early_plain_text();
    return { title: m.arrival_early_plain(), text, tone: "wait" };
  }
  return {
    title: m.arrival_early({ time: sayDayTime(opensAt, timeZone) }),
    text: instant ? m.arrival_early_instant_text() : m.arrival_early_text(),
    tone: "wait",
  };
}

function sayFailure(error: unknown): string {
  switch (codeOf(error)) {
    case "invalid_request":
      return m.arrival_failed_clock();
    case "not_linked":
      return m.arrival_failed_link();
    case "not_found":
      return m.arrival_failed_gone();
    default:
      return sayProblem(error);
  }
}
