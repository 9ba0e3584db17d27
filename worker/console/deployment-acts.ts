import { BASE_LANGUAGE } from "../../db/shapes/language.ts";
import {
  citySpotsEffects,
  hasCitySpots,
  hasDriversIn,
  listCityLines,
  loadCitySpots,
} from "../../db/queries/operators/deployment.ts";
import { offerFreeSpots } from "../../db/queries/spots/turns.ts";
import type { ActFacts } from "../../db/shapes/operators.ts";
import type { ActResponse } from "../contract/console/operators.ts";
import type { CitiesResponse } from "../contract/console/operator-deployment.ts";
import type { DeploymentAct } from "../contract/console/operator-acts.ts";
import { sendAnnouncements } from "../texts/announcements.ts";
import { deliverNews } from "../texts/driver-news.ts";
import { planEndOfSale, planListPrice, planSale } from "./price-acts.ts";
import { planDraw, planEndOfRaffle, planRaffle, planRaffleCompensation } from "./raffle-acts.ts";
import { planAnnouncement, planEndOfAnnouncement, planErrorStatus } from "./voice.ts";
import {
  planAfterRestore,
  planEndOfSessions,
  planKeyRevocation,
  planKeyRotation,
  planReleaseOfRenewals,
} from "./recovery-acts.ts";
import { performAct, toActEntry, type ConsoleContext, type ActPlan } from "./acts.ts";
import { ApiError } from "../http/errors/api-error.ts";

type ActOf<Name extends DeploymentAct["act"]> = Extract<DeploymentAct, { act: Name }>;

/**
 * Does what an operator asked to the whole deployment, once per key.
 * @throws {ApiError} where the act makes no sense as things stand
 */
export async function actOnDeployment(
  context: ConsoleContext,
  id: string,
  input: DeploymentAct,
): Promise<ActResponse> {
  const { act, reason } = input;
  const done = await performAct(context, { id, act, driverId: null, what: factsOf(input), reason }, () =>
    plan(context, id, input),
  );
  if (input.act === "release_renewals") await context.deps.restoreRecord()?.releaseRenewals();
  if (input.act === "city_spots") await offerSpots(context, input.city);
  // The first ones at once, all others in the next minutes.
  if (input.act === "announce") await sendAnnouncements(context.deps, { queue: null, batches: 1 });
  return { act: toActEntry(done.act), status: "done" };
}

/** The log's facts about an act: neither a seed nor its sealed form is among them. */
function factsOf(input: DeploymentAct): ActFacts {
  switch (input.act) {
    case "raffle": {
      const { raffle, plan: sold, startsAt, endsAt, winners, prize, seedHash } = input;
      return {
        raffle,
        plan: sold,
        startsAt,
        endsAt,
        winners,
        prize: prize?.[BASE_LANGUAGE] ?? null,
        seedHash,
      };
    }
    case "draw":
      return { raffle: input.raffle };
    default: {
      const { act: _act, reason: _reason, ...what } = input;
      return what;
    }
  }
}

function plan(context: ConsoleContext, id: string, input: DeploymentAct): ReturnType<ActPlan> {
  switch (input.act) {
    case "sale":
      return planSale(context, id, input);
    case "end_sale":
      return planEndOfSale(context, input);
    case "list_price":
      return planListPrice(context, id, input);
    case "city_spots":
      return planCitySpots(context, input);
    case "raffle":
      return planRaffle(context, input);
    case "end_raffle":
      return planEndOfRaffle(context, input);
    case "draw":
      return planDraw(context, input);
    case "announce":
      return planAnnouncement(context, id, input);
    case "end_announcement":
      return planEndOfAnnouncement(context, input);
    case "after_restore":
      return planAfterRestore(context);
    case "release_renewals":
      return planReleaseOfRenewals(context);
    case "revoke_keys":
      return planKeyRevocation(context);
    case "rotate_keys":
      return planKeyRotation(context);
    case "compensate_raffle":
      return planRaffleCompensation(context, id, input);
    case "end_sessions":
      return planEndOfSessions(context);
    case "resolve_error":
    case "reopen_error":
      return planErrorStatus(context, input);
  }
}

async function planCitySpots(
  { db }: ConsoleContext,
  { city, spots, isNewCity = false }: ActOf<"city_spots">,
): ReturnType<ActPlan> {
  const known = await loadCitySpots(db, city);
  if (known === null && spots !== null && !isNewCity && !(await hasDriversIn(db, city)))
    throw new ApiError("invalid_request", { fields: { city: "invalid" } });
  return {
    before: { spots: known },
    after: { spots },
    worthCents: 0,
    condition: hasCitySpots(city, known),
    effects: (where) => citySpotsEffects(db, where, { city, spots }),
  };
}

/** A spot that is free by now is kept for the next in line, who is texted. */
async function offerSpots(context: ConsoleContext, city: string): Promise<void> {
  const { db, deps } = context;
  const offered = await offerFreeSpots(db, city, deps.now());
  await Promise.all(offered.map((driverId) => deliverNews(context.deps, driverId)));
}

/** Each city with its spots, its line and who is next. */
export async function listCities({ db }: ConsoleContext): Promise<CitiesResponse> {
  const lines = await listCityLines(db);
  return {
    cities: lines.map(({ nextId, nextName, nextSince, ...line }) => ({
      ...line,
      next:
        nextId !== null && nextName !== null && nextSince !== null
          ? { id: nextId, name: nextName, since: nextSince }
          : null,
    })),
  };
}
