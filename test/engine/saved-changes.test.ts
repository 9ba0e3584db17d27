import { describe, expect, it } from "vitest";
import type { Profile } from "../../db/shapes/profile.ts";
import { HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { step } from "../../durable/engine/machine.ts";
import {
  NOON,
  accepted,
  activeState,
  ctx,
  drop,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouseFilter,
} from "./fixtures.ts";
import { SimulatedPlatform, runSimulation } from "./simulate.ts";
import { polled } from "./steps.ts";

describe("saved changes", () => {
  const strict = makeProfile({
    revision: 2,
    filtersVersion: 2,
    filters: makeFilters({ warehouses: [makeWarehouseFilter({ minPriceCents: 20_000 })] }),
  });

  it.each<[string, Profile]>([
    ["stricter filters", strict],
    ["the switch", makeProfile({ revision: 2, switchedOn: false })],
    ["the end of service", makeProfile({ revision: 2, serviceUntil: NOON })],
  ])("between poll and accept apply to the accept: %s", (_case, profile) => {
    const platform = new SimulatedPlatform({ listedOffers: [drop(makeOffer("a"))] });
    const script = [{ at: NOON + 20, event: { kind: "profile_changed" as const, profile } }];
    runSimulation(activeState(), { platform, from: NOON, until: NOON + MINUTE_MS, script, callMs: 40 });
    expect(platform.polls.length).toBeGreaterThan(0);
    expect(platform.accepts).toEqual([]);
  });

  it("between two accepts of one poll apply to the second", () => {
    const listedOffers = [0, 1, 2, 3, 4].map((n) =>
      drop(makeOffer(`o${n}`, { startsAt: NOON + (3 + 3 * n) * HOUR_MS })),
    );
    const platform = new SimulatedPlatform({ listedOffers });
    const script = [{ at: NOON + 60, event: { kind: "profile_changed" as const, profile: strict } }];
    runSimulation(activeState(), { platform, from: NOON, until: NOON + MINUTE_MS, script, callMs: 40 });
    expect(platform.accepts).toHaveLength(4);
  });

  it.each(["offers", "unchanged"] as const)(
    "with looser filters revisit rejected offers when the next poll answers '%s'",
    (kind) => {
      const offer = makeOffer("a");
      const passed = step(activeState({ profile: { ...strict, revision: 1 } }), polled(offer), ctx(NOON));
      const loose = makeProfile({ revision: 2, filtersVersion: 3 });
      const saved = step(passed.state, { kind: "profile_changed", profile: loose }, ctx(NOON + 1000));
      const outcome =
        kind === "offers" ? { kind, offers: [offer], quota: null, etag: null } : { kind, quota: null };
      const next = step(saved.state, { kind: "polled", sentAt: NOON + 3000, outcome }, ctx(NOON + 3040));
      expect(accepted(next.effects)).toEqual(["a"]);
    },
  );

  it("during a poll make the next one fetch the whole list", () => {
    const polling = step(activeState(), { kind: "woke" }, ctx(NOON));
    const saved = step(polling.state, { kind: "profile_changed", profile: strict }, ctx(NOON + 10));
    const answered = step(saved.state, polled(), ctx(NOON + 40));
    expect(answered.state.transient.etag).toBeNull();
  });
});
