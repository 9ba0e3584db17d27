import type { Plant } from "./plant.ts";

const TABLES = "test/engine/driver/lost-time-tables.test.ts";
const LIVES = "test/engine/driver/lost-time.extended.test.ts";
const LEDGER = "test/payments/lost-days.test.ts";

/** Of time that comes back: no doing of the driver's counts, and nothing counts or comes back twice. */
export const LOST_TIME_PLANTS: readonly Plant[] = [
  {
    name: "waits for a quota of the driver's own come back as service",
    scene: "quota used up for hours",
    patches: [
      {
        file: "durable/engine/lost-time.ts",
        find: `return !isQuotaUsedUp(state, at) && phaseOf(state, at, settings).kind === "throttled";`,
        replace: `return ["throttled", "quota_used_up"].includes(phaseOf(state, at, settings).kind);`,
      },
    ],
    expect: /no more comes back than was lost .* counted/,
  },
  {
    name: "time outside the driver's hours comes back as service",
    scene: "platform away for hours",
    patches: [
      {
        file: "durable/engine/lost-time.ts",
        find: `return kind === "polling" || kind === "blocks_unreadable"`,
        replace: `return kind === "polling" || kind === "asleep" || kind === "blocks_unreadable"`,
      },
      {
        file: "durable/engine/lost-time.ts",
        find: `const isLate = dueAt !== null && to - Math.max(dueAt, from) > LATE_MS;`,
        replace: `const isLate = to - from > LATE_MS;`,
      },
      {
        file: "durable/engine/lost-time.ts",
        find: `const lateFrom = isLate ? Math.max(dueAt, from) : Infinity;`,
        replace: `const lateFrom = isLate ? from : Infinity;`,
      },
    ],
    expect: /no more comes back than was lost .* counted/,
  },
  {
    name: "an outage counts twice where the object restarts in it",
    scene: "platform away for hours",
    patches: [
      {
        file: "durable/driver/logs/lost-time-keeper.ts",
        find: `this.#countedTo = stored?.countedTo ?? null;`,
        replace: `this.#countedTo = stored ? stored.countedTo - 60 * MINUTE_MS : null;`,
      },
    ],
    expect: /no more comes back than was lost .* counted/,
  },
  {
    name: "a day comes back twice to the ledger",
    scene: "platform away for hours",
    patches: [
      {
        file: "db/queries/payments/lost-days.ts",
        find: `    ...shares.map(({ grant, ms }) =>`,
        replace: `    ...[...shares, ...shares.map(({ grant, ms }) => ({ grant: \`\${grant}:again\`, ms }))].map(({ grant, ms }) =>`,
      },
    ],
    expect: /no more comes back than was lost .* ledger/,
  },
  {
    name: "a quota that another device used up counts as lost time",
    test: TABLES,
    patches: [
      {
        file: "durable/engine/lost-time.ts",
        find: `return !isQuotaUsedUp(state, at) && phaseOf(state, at, settings).kind === "throttled";`,
        replace: `return isQuotaUsedUp(state, at) || phaseOf(state, at, settings).kind === "throttled";`,
      },
    ],
    expect: /with a wait for a quota that another device used up counts what the driver lost/,
  },
  {
    name: "a refusal until the quota's window ends counts as lost time",
    test: TABLES,
    patches: [
      {
        file: "durable/engine/lost-time.ts",
        find: `if (rolls) return false;`,
        replace: `if (!rolls) return false;`,
      },
    ],
    expect: /counts as the driver's own quota if it ends with a window of its quota/,
  },
  {
    name: "an account that is signed out counts as lost time",
    test: TABLES,
    patches: [
      {
        file: "durable/engine/lost-time.ts",
        find: `return kind === "polling" || kind === "blocks_unreadable"`,
        replace: `return kind === "polling" || kind === "needs_link" || kind === "blocks_unreadable"`,
      },
    ],
    expect: /with a link that ended counts what the driver lost/,
  },
  {
    name: "hours outside the schedule count as lost time",
    test: TABLES,
    patches: [
      {
        file: "durable/engine/lost-time.ts",
        find: `return kind === "polling" || kind === "blocks_unreadable"`,
        replace: `return kind === "polling" || kind === "asleep" || kind === "blocks_unreadable"`,
      },
    ],
    expect: /with outside the driver's hours counts what the driver lost/,
  },
  {
    name: "a clock that jumps ahead and back leaves lost time",
    test: TABLES,
    patches: [
      {
        file: "durable/engine/lost-time.ts",
        find: `if (from - to > LATE_MS) return takeBack(lost, to, zone);`,
        replace: ``,
      },
    ],
    expect: /hours ahead and back again counts nothing/,
  },
  {
    name: "time that is stored is counted again after a restart",
    test: LIVES,
    patches: [
      {
        file: "durable/driver/logs/lost-time-keeper.ts",
        find: `const row: StoredLostTime = { countedTo: now, wakesAt,`,
        replace: `const row: StoredLostTime = { countedTo: this.#storedAt, wakesAt,`,
      },
    ],
    expect: /is never more than what was lost, over many days/,
  },
  {
    name: "an outage of a minute counts until the next poll",
    test: LIVES,
    patches: [
      {
        file: "durable/engine/lost-time.ts",
        find: `else if (!isLate && holds(isWithoutAnswer)) add(pending, zone, start, end);`,
        replace: `else if (!isLate && holds(isWithoutAnswer)) add(days, zone, start, end);`,
      },
    ],
    expect: /never more/,
  },
  {
    name: "a day is given back again by whoever settles it again",
    test: LEDGER,
    patches: [
      {
        file: "db/queries/payments/lost-days.ts",
        find: `AND \${lostDays.date} = \${date} AND \${lostDays.at} = \${now} AND`,
        replace: `AND \${lostDays.date} = \${date} AND`,
      },
      {
        file: "db/queries/payments/lost-days.ts",
        find: `source: outageSource(grant, date),`,
        replace: `source: \`\${outageSource(grant, date)}:\${lostMs}\`,`,
      },
    ],
    expect: /is given back as service once, whoever repeats it/,
  },
  {
    name: "the whole day is given back for an outage of an hour",
    test: LEDGER,
    patches: [
      {
        file: "db/queries/payments/lost-days.ts",
        find: `let left = Math.min(lostMs, DAY_MS);`,
        replace: `let left = Math.max(lostMs, DAY_MS);`,
      },
    ],
    expect: /the shares are never more than the outage, the day, or what ran of a grant/,
  },
  {
    name: "a payment that was refunded gives its days back as well",
    test: LEDGER,
    patches: [
      {
        file: "db/queries/payments/lost-days.ts",
        find: `isPauseGrant(grant) || isTakenBack(entries, grant) ? 0`,
        replace: `isPauseGrant(grant) ? 0`,
      },
    ],
    expect: /gives nothing of a payment that was refunded/,
  },
  {
    name: "a day that was given back is told in the night",
    test: "test/engine/driver/lost-day-message.test.ts",
    patches: [
      {
        file: "durable/driver/services/lost-day-message.ts",
        find: `at: daytimeAfter(now, clockOf(owner)) };`,
        replace: `at: Math.min(now, daytimeAfter(now, clockOf(owner))) };`,
      },
    ],
    expect: /is told in the morning, once whatever restarts/,
  },
];
