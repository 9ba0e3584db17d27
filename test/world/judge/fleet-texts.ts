import type { FleetRecord } from "../fleet/run-fleet.ts";
import { EVENING_FROM, EVENING_TO, FLEET_TEXTS } from "../fleet/fleet-plan.ts";
import type { DeliveredText } from "../host/network.ts";
import type { Violation } from "./violation.ts";

/** No kind of text arrives twice within so long, whatever the platform answers: ten minutes, less what one takes longer. */
const SILENT_MS = 10 * 60_000 - 100;
/** Of texts, and of urgent ones, that one driver gets in a day. */
const MOST_A_DAY = Number(FLEET_TEXTS.TEXTS_PER_DRIVER);
/** Kinds of news but captures, which one driver can have within the silence. */
const MOST_KINDS = 8;
/** How soon a capture is texted. */
const TEXTED_WITHIN_MS = 60_000;

/**
 * Every text and push of a deployment: no kind twice within ten minutes, a day's texts a driver at most and as many urgent
 * ones, and no ceiling that one driver's storm uses up for the others.
 */
export function judgeFleet({
  drivers,
  alerts,
}: {
  drivers: readonly FleetRecord[];
  alerts: readonly string[];
}): Violation[] {
  return [
    ...drivers.flatMap(judgeDriver),
    ...drivers.filter(({ isCalm }) => isCalm).flatMap(judgeCalm),
    ...alerts
      .filter((name) => name.startsWith("texts."))
      .map((name) => broken("ceiling", EVENING_TO, `the deployment's ceiling was reached: ${name}`)),
  ];
}

function judgeDriver({ network, platform, plan }: FleetRecord): Violation[] {
  const { texts, pushes } = network;
  const name = `driver ${plan.seed}`;
  const again = texts.flatMap(({ at, body }, index) => {
    const kind = kindOf(body);
    const before = texts.slice(0, index).findLast((other) => kindOf(other.body) === kind);
    if (kind === null || !before || at - before.at >= SILENT_MS) return [];
    return [broken("the same again", at, `${name}, after ${Math.round((at - before.at) / 1000)} s: ${body}`)];
  });
  const days = [
    texts.filter(({ at }) => at < EVENING_FROM),
    texts.filter(({ at }) => at >= EVENING_TO),
  ].flatMap((day) => [
    { of: "texts", day: day.filter((text) => !isUrgent(text)) },
    { of: "urgent texts", day: day.filter(isUrgent) },
  ]);
  const tooMany = days
    .filter(({ day }) => day.length > MOST_A_DAY)
    .map(({ of, day }) =>
      broken("too many a day", day.at(-1)?.at ?? 0, `${name} got ${day.length} ${of} in a day`),
    );
  const captures = platform.log.filter(({ effect }) => effect !== null).map(({ at }) => at);
  const pushed = pushes.flatMap((at, index) => {
    const since = at - SILENT_MS;
    const recent = pushes.slice(0, index + 1).filter((other) => other > since).length;
    const most =
      MOST_KINDS + captures.filter((other) => other > since - TEXTED_WITHIN_MS && other <= at).length;
    return recent > most ? [broken("too many pushes", at, `${name} got ${recent} in ten minutes`)] : [];
  });
  return [...again.slice(0, 1), ...tooMany, ...pushed.slice(0, 1)];
}

/** A driver to whom little happens hears of all of it, whatever happens to the others. */
function judgeCalm({ network, platform, plan }: FleetRecord): Violation[] {
  const captures = platform.log.flatMap(({ at, effect }) => (effect ? [{ at, pay: effect.payCents }] : []));
  const untold = captures.filter(
    ({ at, pay }) =>
      !network.texts.some(
        (text) => text.at - at <= TEXTED_WITHIN_MS && text.body.includes((pay / 100).toFixed(2)),
      ),
  );
  const violations = untold.map(({ at, pay }) =>
    broken("silenced", at, `driver ${plan.seed} was not told of the block for ${pay}`),
  );
  // A selfie that the platform wanted while the runtime didn't wake the object is no news.
  const isAsked = network.wire.some(({ code }) => code === "verification_required");
  if (captures.length === 0 || (isAsked && !network.texts.some(isUrgent)))
    violations.push(broken("silenced", plan.endsAt, `driver ${plan.seed} was not told of the selfie`));
  return violations;
}

/** The subject of a text, without its figures; null for texts about blocks, each of which is its own. */
function kindOf(body: string): string | null {
  if (body.includes("block captured") || body.includes("probably yours")) return null;
  return body.replaceAll(/[\d.,:]+/g, "#");
}

/** News of what only the driver can do. */
function isUrgent({ body }: DeliveredText): boolean {
  return /verify you|isn't linked|asked us to wait/.test(body);
}

function broken(cause: string, at: number, says: string): Violation {
  return { invariant: "no storm of texts", cause, at, says };
}
