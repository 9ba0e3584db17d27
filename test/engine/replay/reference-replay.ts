import type { ListingChange } from "../../../db/shapes/log/listing.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import type { OfferId } from "../../../db/shapes/units.ts";
import type { ReplaySettings } from "../../../durable/engine/replay/replay.ts";
import { makeBlock } from "../fixtures.ts";
import { matchesByReference } from "../verdicts/reference-matcher.ts";

type Span = { startsAt: number; endsAt: number };

const apart = (one: Span, other: Span) => one.endsAt <= other.startsAt || other.endsAt <= one.startsAt;

/** Every set of offers of which no two overlap. */
function freeSets(offers: readonly Offer[]): Offer[][] {
  const [first, ...rest] = offers;
  if (!first) return [[]];
  const without = freeSets(rest);
  return [
    ...without,
    ...without.flatMap((set) => (set.every((other) => apart(first, other)) ? [[first, ...set]] : [])),
  ];
}

const payOf = (offers: readonly Offer[]) => offers.reduce((sum, { payCents }) => sum + payCents, 0);

function choose(mode: string, matches: readonly Offer[]): Offer[] {
  if (mode === "lucrative")
    return freeSets(matches).reduce((best, set) => (payOf(set) > payOf(best) ? set : best), []);
  const ordered = matches.toSorted((one, other) =>
    mode === "secure"
      ? one.startsAt - other.startsAt || other.payCents - one.payCents
      : other.payCents - one.payCents || one.startsAt - other.startsAt,
  );
  return ordered.reduce<Offer[]>(
    (chosen, offer) => (chosen.every((other) => apart(offer, other)) ? [...chosen, offer] : chosen),
    [],
  );
}

/**
 * A second replay, without limits and without regard to speed: it looks at every offer that is listed at every change, by the
 * second implementation of the filters and all sets of offers. Shares nothing with the engine but the shapes.
 */
export function replayByReference(
  changes: readonly ListingChange[],
  { settings, missed }: { settings: ReplaySettings; missed: ReadonlySet<OfferId> },
): OfferId[] {
  const listed = new Map<OfferId, Offer>();
  const held = new Map<OfferId, Offer>();
  const returned: Offer[] = [];
  const taken: OfferId[] = [];
  const over = new Set<OfferId>();
  for (const { at, left, seen, freed } of changes) {
    for (const id of left) listed.delete(id);
    for (const offer of held.values()) {
      if (!freed.includes(makeBlock(offer).blockId)) continue;
      held.delete(offer.offerId);
      returned.push(offer);
    }
    for (const offer of seen) listed.set(offer.offerId, offer);
    // A missed accept leaves its hours to another offer of the same listing.
    for (let tried = 1; tried > 0;) {
      const blocks = [...held.values()].map((offer) => makeBlock(offer));
      const matches = [...listed.values()].filter(
        (offer) =>
          !over.has(offer.offerId) &&
          !returned.some(({ startsAt, endsAt }) => startsAt === offer.startsAt && endsAt === offer.endsAt) &&
          matchesByReference(offer, { ...settings, held: blocks, now: at }),
      );
      const chosen = choose(settings.profile.mode, matches);
      for (const offer of chosen) {
        over.add(offer.offerId);
        if (missed.has(offer.offerId)) continue;
        taken.push(offer.offerId);
        held.set(offer.offerId, offer);
      }
      tried = chosen.length;
    }
  }
  return taken;
}
