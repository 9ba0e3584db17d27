import type { WeekRecord } from "../week.ts";
import type { Violation } from "./violation.ts";

/** No kind of text goes out twice within so long, whatever the platform answers. Clocks jump by some seconds. */
const SILENT_MS = 10 * 60_000 - 15_000;
/** Texts of a driver within that time, captures aside: there are not more kinds. */
const MOST_AT_ONCE = 8;

/** All texts of a week, whatever they are about. */
export function judgeTexts({ network }: WeekRecord): Violation[] {
  const others = network.texts.filter(({ body }) => !isOfBlock(body));
  const broken = (cause: string, at: number, says: string): Violation => ({
    invariant: "no storm of texts",
    cause,
    at,
    says,
  });
  // Two changes of payments, each with a text of its own, may read the same.
  const repeatable = others.filter(({ body }) => !/\b(?:payment|refunded|renewal)\b/i.test(body));
  const twice = repeatable.flatMap(({ at, body }, index) => {
    const before = repeatable.slice(0, index).findLast((other) => other.body === body);
    return before && at - before.at < SILENT_MS
      ? [broken("the same again", at, `after ${Math.round((at - before.at) / 1000)} s: ${body}`)]
      : [];
  });
  const storms = others.flatMap(({ at }, index) => {
    const first = others[index - MOST_AT_ONCE];
    return first && at - first.at < SILENT_MS ? [broken("too many", at, `${MOST_AT_ONCE + 1} texts`)] : [];
  });
  return [...twice.slice(0, 1), ...storms.slice(0, 1)];
}

function isOfBlock(body: string): boolean {
  return body.includes("block captured") || body.includes("probably yours");
}
