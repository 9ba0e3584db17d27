import { NO_LIMITS, type Limits } from "../../../db/shapes/work/filters.ts";
import type { Profile } from "../../../db/shapes/profile.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { DriverState, StepResult, TransientState } from "../../../durable/engine/state/types.ts";
import {
  at,
  idOf,
  logged,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouse,
  makeWarehouseFilter,
  NOON,
} from "../fixtures.ts";
import { transientState } from "../parts.ts";

export const DENVER = idOf.warehouse("DDV1");
export const LOS_ANGELES = idOf.warehouse("DLA5");

/** Filters that want everything at three warehouses, within limits. */
export function profileWithin(limits: Partial<Limits>, fields: Partial<Profile> = {}): Profile {
  const warehouses = [
    makeWarehouseFilter(),
    ...[DENVER, LOS_ANGELES].map((warehouseId) => makeWarehouseFilter({ warehouseId })),
  ];
  return makeProfile({
    filters: makeFilters({ limits: { ...NO_LIMITS, ...limits }, warehouses }),
    ...fields,
  });
}

const READ_FROM = NOON - 30 * DAY_MS;

/** A driver of such limits whose blocks were all read at noon. */
export function within(
  limits: Partial<Limits>,
  fields: Partial<DriverState> = {},
  transient: Partial<TransientState> = {},
): DriverState {
  return transientState(
    { heldReadFrom: READ_FROM, heldAskedFrom: READ_FROM, ...transient },
    {
      profile: profileWithin(limits),
      warehouses: [
        makeWarehouse(),
        makeWarehouse({ warehouseId: DENVER, timeZone: "America/Denver" }),
        makeWarehouse({ warehouseId: LOS_ANGELES, timeZone: "America/Los_Angeles" }),
      ],
      ...fields,
    },
  );
}

export const offerAt = (name: string, startsAt: string, fields: Partial<Offer> = {}) =>
  makeOffer(name, { startsAt: at(startsAt), ...fields });
/** Both on the Wednesday, with an hour between them. */
export const EARLY = offerAt("early", "2026-06-10T15:00:00-04:00");
export const LATE = offerAt("late", "2026-06-10T19:00:00-04:00", { payCents: 10_000 });
export const THURSDAY = offerAt("thursday", "2026-06-11T11:00:00-04:00");

/** The codes against the offers that were judged, by their ids. */
export const judged = ({ effects }: StepResult) =>
  Object.fromEntries(
    logged(effects).flatMap((event) =>
      event.kind === "offer_judged" ? [[event.offer.offerId, event.reasons.map(({ code }) => code)]] : [],
    ),
  );
