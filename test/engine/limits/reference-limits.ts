import { Temporal } from "temporal-polyfill";
import type { Limits, Mode } from "../../../db/shapes/work/filters.ts";
import type { Block, Offer, Warehouse } from "../../../db/shapes/work/offer.ts";

type Piece = Pick<Offer, "warehouseId" | "startsAt" | "endsAt" | "payCents" | "currency" | "offerId">;
/** The local date and Monday of each, in one set of zones. */
const places = new WeakMap<Piece, { date: string; week: string }>();
type World = { limits: Limits; warehouses: readonly Warehouse[]; held: readonly Block[] };

/**
 * A second implementation of the limits, with Temporal and without regard to speed: whether each of some offers keeps every
 * limit beside all others and what is held. Shares nothing with the engine but the shapes.
 */
export function keepsLimits(offers: readonly Offer[], { limits, warehouses, held }: World): boolean {
  const placed = (piece: Piece) => {
    const known = places.get(piece);
    if (known) return known;
    const zone = warehouses.find(({ warehouseId }) => warehouseId === piece.warehouseId) ?? warehouses[0];
    const date = Temporal.Instant.fromEpochMilliseconds(piece.startsAt)
      .toZonedDateTimeISO(zone?.timeZone ?? "UTC")
      .toPlainDate();
    const week = date.subtract({ days: date.dayOfWeek - 1 }).toString();
    const place = { date: date.toString(), week };
    places.set(piece, place);
    return place;
  };
  return offers.every((offer) => {
    const others: Piece[] = [...held, ...offers.filter((other) => other !== offer)];
    const { date, week } = placed(offer);
    const sameDay = others.filter((other) => placed(other).date === date);
    const sameWeek = others.filter((other) => placed(other).week === week);
    const minutes = (list: readonly Piece[]) =>
      list.reduce((sum, { startsAt, endsAt }) => sum + (endsAt - startsAt) / 60_000, 0);
    if (sameDay.length + 1 > (limits.blocksPerDay ?? Infinity)) return false;
    if (minutes([...sameDay, offer]) > (limits.minutesPerDay ?? Infinity)) return false;
    if (minutes([...sameWeek, offer]) > (limits.minutesPerWeek ?? Infinity)) return false;
    const pay = sameWeek.reduce((sum, { payCents }) => sum + payCents, 0);
    if (pay >= (limits.weekGoalCents ?? Infinity)) return false;
    return others.every((other) => {
      const overlaps = other.startsAt < offer.endsAt && offer.startsAt < other.endsAt;
      if (overlaps) return false;
      const gap = Math.max(other.startsAt - offer.endsAt, offer.startsAt - other.endsAt) / 60_000;
      if (gap < (limits.restMinutes ?? 0)) return false;
      return other.warehouseId === offer.warehouseId || gap >= (limits.travelMinutes ?? 0);
    });
  });
}

/** The choice of a mode: of all sets that keep the limits the best paying one, or in its order whatever still fits. */
export function choiceByReference(mode: Mode, offers: readonly Offer[], world: World): Offer[] {
  const byName = (one: Offer, other: Offer) => (one.offerId < other.offerId ? -1 : 1);
  if (mode !== "lucrative") {
    const ordered = offers.toSorted((one, other) =>
      mode === "secure"
        ? one.startsAt - other.startsAt || other.payCents - one.payCents || byName(one, other)
        : other.payCents - one.payCents || one.startsAt - other.startsAt || byName(one, other),
    );
    return ordered.reduce<Offer[]>(
      (taken, offer) => (keepsLimits([...taken, offer], world) ? [...taken, offer] : taken),
      [],
    );
  }
  let best: readonly Offer[] = [];
  const sum = (set: readonly Offer[], of: (offer: Offer) => number) =>
    set.reduce((all, one) => all + of(one), 0);
  const isBetter = (set: readonly Offer[]) => {
    const [mine, others] = [sum(set, (one) => one.payCents), sum(best, (one) => one.payCents)];
    if (mine !== others) return mine > others;
    if (set.length !== best.length) return set.length < best.length;
    return sum(set, (one) => one.startsAt) < sum(best, (one) => one.startsAt);
  };
  // A set that breaks a limit breaks it with more offers, too.
  const grow = (set: readonly Offer[], from: number) => {
    if (isBetter(set)) best = set;
    for (const [index, offer] of offers.entries()) {
      const next = [...set, offer];
      if (index >= from && keepsLimits(next, world)) grow(next, index + 1);
    }
  };
  grow([], 0);
  return [...best];
}
