import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  decodeListing,
  encodeListing,
  parseListingRow,
  storedListing,
  type ListingChange,
} from "../../db/shapes/log/listing.ts";
import { parseVersioned } from "../../db/shapes/versioned.ts";
import { idOf, makeBlock, makeOffer, NOON } from "../engine/fixtures.ts";
import { draws } from "../support/draws.ts";

/** A row by its shape alone. */
function byShape({ version, value }: { version: number; value: string }): ListingChange[] {
  try {
    return decodeListing(parseVersioned(storedListing, { version, value: JSON.parse(value) }));
  } catch {
    return [];
  }
}

const { blockId, offerId, warehouseId, startsAt, endsAt, payCents, currency } = makeBlock(makeOffer("held"));
const held = { blockId, offerId, warehouseId, startsAt, endsAt, payCents, currency, acceptedAt: NOON };

const offers = fc.record({
  id: fc.stringMatching(/^[!-~]{1,12}$/),
  payCents: fc.nat(),
  serviceType: fc.constantFrom("parcel", "whole_foods", "grocery", "other"),
  surge: fc.boolean(),
});
const changes = fc.record({
  at: fc.nat(),
  isAfterPause: fc.boolean(),
  pausedFrom: fc.option(fc.nat(), { nil: undefined }),
  seen: fc.array(
    offers.map(({ id, ...fields }) => makeOffer(id, fields)),
    { maxLength: 3 },
  ),
  left: fc.array(fc.stringMatching(/^[!-~]{1,12}$/).map(idOf.offer), { maxLength: 3 }),
  held: fc.array(fc.constant(held), { maxLength: 1 }),
  freed: fc.array(fc.constant(blockId), { maxLength: 1 }),
  returned: fc.option(fc.constant([blockId]), { nil: undefined }),
});

/** Values of another release, or of a fault. */
const STRANGE: readonly unknown[] = [
  null,
  "",
  "caf\u00e9 au lait",
  -1,
  1.5,
  1e300,
  true,
  "alcohol",
  [],
  {},
  [1],
  "x".repeat(201),
];

/** Replaces one value somewhere inside another. */
function spoil(value: unknown, path: readonly number[], by: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== "object" || value === null) return by;
  if (Array.isArray(value)) {
    if (value.length === 0) return [by];
    const index = step % (value.length + 1);
    return index === value.length
      ? [...value, by]
      : value.map((item, at) => (at === index ? spoil(item, rest, by) : item));
  }
  const entries = Object.entries(value);
  const index = step % (entries.length + 1);
  const [key = "later", item] = entries[index] ?? [];
  return { ...value, [key]: item === undefined ? by : spoil(item, rest, by) };
}

it("reads a row as its shape does, whole or spoilt, of whatever version", () => {
  const path = fc.array(fc.nat(12), { maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(changes, { maxLength: 3 }),
      fc.option(fc.tuple(path, fc.constantFrom(...STRANGE)), { nil: null }),
      fc.constantFrom(0, 1, 2),
      (list, fault, version) => {
        const stored = encodeListing(list);
        const row = { version, value: JSON.stringify(fault ? spoil(stored, ...fault) : stored) };
        expect(parseListingRow(row)).toEqual(byShape(row));
        if (!fault) expect(parseListingRow(row)).toEqual(list);
      },
    ),
    draws({ whole: 20_000, usual: 1_500 }),
  );
});

it("reads each value of an offer as its shape does, whatever stands in its place", () => {
  const [change] = encodeListing([
    { at: NOON, isAfterPause: false, seen: [makeOffer("a")], left: [], held: [], freed: [] },
  ]);
  const rows = (change?.seen?.[0] ?? []).flatMap((_, place) =>
    STRANGE.map((value) => ({ version: 1, value: JSON.stringify([spoil(change, [1, 0, place], value)]) })),
  );
  expect(rows).toHaveLength(9 * STRANGE.length);
  expect(rows.map(parseListingRow)).toEqual(rows.map(byShape));
});
