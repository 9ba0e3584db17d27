import type { Plant } from "./plant.ts";

/** Of what is taken, repeated and told. */
export const ACCEPT_PLANTS: readonly Plant[] = [
  {
    name: "a block that was given back is taken again",
    scene: "given back",
    patches: [
      {
        file: "durable/engine/verdicts/match.ts",
        find: `if (!returned) return null;`,
        replace: `if (!returned || offer) return null;`,
      },
    ],
    expect: /what is given back stays so/,
  },
  {
    name: "another currency is compared with the filters",
    patches: [
      {
        file: "durable/engine/verdicts/rule-checks.ts",
        find: `offer.payCents < minPriceCents && offer.currency === currency;`,
        replace: `offer.payCents < minPriceCents;`,
      },
      {
        file: "durable/engine/verdicts/rule-checks.ts",
        find: `(endsAt - startsAt) && currency === terms.currency;`,
        replace: `(endsAt - startsAt);`,
      },
    ],
    expect: /filters in force \/ currency/,
  },
  {
    name: "an accept that was refused after its effect is lost for good",
    scene: "refused after the effect",
    patches: [
      {
        file: "durable/engine/attempts/attempts.ts",
        find: `markLost(transition, attempt, { reason: "refused", isDoubted: true });`,
        replace: `markLost(transition, attempt, { reason: "refused", isDoubted: false });`,
      },
    ],
    expect: /every effect reaches/,
  },
  {
    name: "an attempt in doubt is asked about for ever",
    scene: "in doubt, then off",
    patches: [
      {
        file: "durable/engine/attempts/reconcile.ts",
        find: `const isDropped = attempt.outcome.status === "unknown" && attempt.offer.startsAt <= now;`,
        replace: `const isDropped = attempt.outcome.status === "unknown" && attempt.offer.startsAt <= 0;`,
      },
      {
        file: "durable/engine/attempts/reconcile.ts",
        find: `heldFetchedAt !== null && hasCallSettled(attempt, heldFetchedAt))`,
        replace: `heldFetchedAt !== null && hasCallSettled(attempt, 0))`,
      },
    ],
    expect: /every attempt settles/,
  },
  {
    name: "an accept that was cut is not repeated at once",
    scene: "cut accept",
    patches: [
      {
        file: "durable/engine/attempts/attempts.ts",
        find: `return attempt.outcome.status === "pending" ? "repeat" : "done";`,
        replace: `return "done";`,
      },
    ],
    expect: /every attempt settles \/ repeated late/,
  },
  {
    name: "the offers of one listing are accepted one by one",
    scene: "three at once",
    patches: [
      {
        file: "durable/engine/selection/modes.ts",
        find: `lucrative: { intervalMs: 3000, mostPending: 4,`,
        replace: `lucrative: { intervalMs: 3000, mostPending: 1,`,
      },
    ],
    expect: /one by one/,
  },
  {
    name: "blocks taken by hand are read every five minutes",
    scene: "taken by hand",
    patches: [
      {
        file: "durable/engine/attempts/held-blocks.ts",
        find: `HELD_DUE_MS = 20_000`,
        replace: `HELD_DUE_MS = 300_000`,
      },
      {
        file: "durable/engine/attempts/held-blocks.ts",
        find: `HELD_STALE_MS = 30_000`,
        replace: `HELD_STALE_MS = 300_000`,
      },
      {
        file: "durable/engine/attempts/held-blocks.ts",
        find: `HELD_FRESH_MS = MINUTE_MS`,
        replace: `HELD_FRESH_MS = 6 * MINUTE_MS`,
      },
    ],
    expect: /overlapping|overlap/,
  },
  {
    name: "nobody counts the connections",
    scene: "eight at once",
    patches: [
      {
        file: "durable/engine/selection/modes.ts",
        find: `lucrative: { intervalMs: 3000, mostPending: 4,`,
        replace: `lucrative: { intervalMs: 3000, mostPending: 9,`,
      },
      {
        file: "durable/runtime/lane.ts",
        find: `if (this.#of(lane) >= MOST[lane]) return false;`,
        replace: `if (MOST[lane] > 0) return true;`,
      },
      {
        file: "durable/engine/attempts/in-flight.ts",
        find: `MAX_ACCEPTS_IN_FLIGHT = 4`,
        replace: `MAX_ACCEPTS_IN_FLIGHT = 9`,
      },
    ],
    expect: /connections/,
  },
  {
    name: "a text is sent before its row is deleted",
    scene: "crash at the accept",
    patches: [
      {
        file: "durable/driver/outbox.ts",
        find: `    onLeave: () => store.outbox.remove(row.id),\n`,
        replace: ``,
      },
    ],
    expect: /text twice/,
  },
  {
    name: "what is being sent is sent by the next one too",
    scene: "unlinked while D1 is slow",
    patches: [
      {
        file: "durable/driver/outbox.ts",
        find: `  if (!store.outbox.isDue(row.id, dueBy)) return Promise.resolve();\n`,
        replace: `  void dueBy;\n`,
      },
      { file: "durable/driver/outbox.ts", find: `if (underWay) return underWay;`, replace: `void underWay;` },
    ],
    expect: /text twice/,
  },
  {
    name: "a weekly limit is not learnt",
    scene: "weekly limit",
    patches: [
      {
        file: "durable/engine/attempts/attempts.ts",
        find: `if (outcome.reason === "weekly_limit") learnWeeklyLimit`,
        replace: `if (outcome.reason === "weekly_limit" && !outcome) learnWeeklyLimit`,
      },
    ],
    expect: /weekly limit not learnt/,
  },
  {
    name: "a repeat gets a key of its own",
    scene: "cut accept",
    patches: [
      {
        file: "durable/driver/event-loop.ts",
        find: "offerId: offer.offerId, attemptId, payAtLeastCents })",
        replace: "offerId: offer.offerId, attemptId: `${attemptId}-${now()}` as never, payAtLeastCents })",
      },
    ],
    expect: /every attempt settles/,
  },
  {
    name: "after an overlap the blocks are read when their turn comes",
    scene: "taken by hand just now",
    patches: [
      {
        file: "durable/engine/attempts/attempts.ts",
        find: `      noteOverlap(transition, attempt.offer);\n      return "blocks_first";`,
        replace: `      void noteOverlap;\n      return "done";`,
      },
    ],
    expect: /read late/,
  },
  {
    name: "offers of a span that overlaps an unknown block are tried before it is read",
    scene: "taken by hand just now",
    patches: [
      {
        file: "durable/engine/attempts/attempts.ts",
        find: `      noteOverlap(transition, attempt.offer);\n`,
        replace: `      void noteOverlap;\n`,
      },
    ],
    expect: /tried unread/,
  },
];
