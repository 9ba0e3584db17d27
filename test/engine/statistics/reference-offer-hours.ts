import { Temporal } from "temporal-polyfill";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import type { OfferId } from "../../../db/shapes/units.ts";
import type { OfferHoursContext } from "../../../durable/engine/statistics/offer-hours.ts";

const weekHour = (at: number, timeZone: string) => {
  const { dayOfWeek, hour } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  return (dayOfWeek - 1) * 24 + hour;
};

/** The smallest stay at which the product of the shares that stayed is a half or less, in whole numbers. */
function halfGone(stays: readonly { ms: number; left: boolean }[]): number | null {
  const times = [...new Set(stays.filter(({ left }) => left).map(({ ms }) => ms))].toSorted((a, b) => a - b);
  let [above, below] = [1n, 1n];
  for (const time of times) {
    const watched = stays.filter(({ ms }) => ms >= time).length;
    const gone = stays.filter(({ ms, left }) => left && ms === time).length;
    above *= BigInt(watched - gone);
    below *= BigInt(watched);
    if (above * 2n <= below) return time;
  }
  return null;
}

type Watched = { offer: Offer; at: number; placed: boolean; stay: { ms: number; left: boolean } };

function figures(group: readonly Watched[], captured: ReadonlySet<OfferId>) {
  const pays = group
    .map(({ offer }) => Math.round((offer.payCents * 3_600_000) / (offer.endsAt - offer.startsAt)))
    .toSorted((a, b) => a - b);
  return {
    offers: group.length,
    // Half of them, rounded up, pay it or better.
    medianHourlyCents: pays[Math.floor(pays.length / 2)] ?? 0,
    bestHourlyCents: pays.at(-1) ?? 0,
    halfGoneMs: halfGone(group.map(({ stay }) => stay)),
    captured: group.filter(({ offer }) => captured.has(offer.offerId)).length,
  };
}

/** A second count, without regard to speed: it asks of every hour of the week and every offer what the whole log says of it. */
export function offerHoursByReference({ changes, from, captured, warehouses, currency }: OfferHoursContext) {
  const ids = new Set(changes.flatMap(({ seen }) => seen.map(({ offerId }) => offerId)));
  const offers = [...ids].flatMap((id): Watched[] => {
    const first = changes.findIndex(({ seen }) => seen.some(({ offerId }) => offerId === id));
    const change = changes[first];
    const offer = change?.seen.find(({ offerId }) => offerId === id);
    if (!change || !offer || change.at < from || offer.currency !== currency) return [];
    const later = changes.slice(first + 1);
    const end = later.findIndex(({ left }) => left.includes(id));
    const leaving = later[end];
    const before = changes[first + end] ?? change;
    const until = leaving ? (leaving.isAfterPause ? before.at : leaving.at) : (changes.at(-1)?.at ?? 0);
    return [
      {
        offer,
        at: change.at,
        placed: !change.isAfterPause,
        stay: {
          ms: until - change.at,
          left: leaving !== undefined && !leaving.isAfterPause && !captured.has(id),
        },
      },
    ];
  });
  return warehouses.flatMap(({ warehouseId, timeZone }) => {
    const here = offers.filter(({ offer }) => offer.warehouseId === warehouseId);
    if (here.length === 0) return [];
    const placed = here.filter((each) => each.placed);
    const inHour = (hour: number) => placed.filter((each) => weekHour(each.at, timeZone) === hour);
    const hours = Array.from({ length: 168 }, (_, hour) => {
      const group = inHour(hour);
      const starts = group.map(({ offer }) => weekHour(offer.startsAt, timeZone));
      const times = (start: number) => starts.filter((other) => other === start).length;
      const most = Math.max(...starts.map(times));
      const startHour = Math.min(...starts.filter((start) => times(start) === most));
      return { hour, ...figures(group, captured), startHour };
    }).filter(({ offers: count }) => count > 0);
    /** The figures of some hours in a row. */
    const stretch = (first: number, length: number) =>
      figures(Array.from({ length }, (_, index) => inHour((first + index) % 168)).flat(), captured);
    return [{ warehouseId, offers: here.length, unplaced: here.length - placed.length, hours, stretch }];
  });
}
