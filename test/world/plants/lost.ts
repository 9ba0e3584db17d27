import type { Plant } from "./plant.ts";

/** Of what the object must not lose: its alarm, its newest orders, open attempts, and answers about blocks. */
export const LOST_PLANTS: readonly Plant[] = [
  {
    name: "an older profile that comes late overwrites the newer one",
    scene: "older profile comes late",
    patches: [
      {
        file: "durable/engine/machine.ts",
        find: `if (known && profile.revision <= known.revision) return;`,
        replace: `if (known && profile.revision === known.revision) return;`,
      },
    ],
    expect: /none after off|wanted offer not tried|healthy platform is polled/,
  },
  {
    name: "an older profile that comes late overwrites the newer one, as its unit test sees it",
    test: "test/engine/driver/alarm.test.ts",
    patches: [
      {
        file: "durable/engine/machine.ts",
        find: `if (known && profile.revision <= known.revision) return;`,
        replace: `if (known && profile.revision === known.revision) return;`,
      },
    ],
    expect: /keeps the newer profile where an older one comes late/,
  },
  {
    name: "the alarm is not armed again after an exception",
    test: "test/engine/driver/alarm.test.ts",
    patches: [
      {
        file: "durable/driver/alarm.ts",
        find: `    } finally {
      this.#isHeld = false;
      await this.set();
    }`,
        replace: `    } finally {
      this.#isHeld = false;
    }
    await this.set();`,
      },
    ],
    expect: /arms the next alarm although the work of this one throws/,
  },
  {
    name: "an accept is no capture if its block can't be read whole",
    scene: "half known at the accept",
    patches: [
      {
        file: "durable/engine/attempts/attempts.ts",
        find: `      markWon(transition, attempt, captureOf(transition, attempt, outcome.block));
      return "done";
    case "already_yours":`,
        replace: `      if (outcome.block?.acceptedAt && outcome.block.payCents)
        markWon(transition, attempt, captureOf(transition, attempt, outcome.block));
      else markLost(transition, attempt, { reason: "refused", isDoubted: false });
      return "done";
    case "already_yours":`,
      },
    ],
    expect: /every effect reaches/,
  },
  {
    name: "a copy to D1 that failed isn't tried again",
    scene: "older profile comes late",
    patches: [
      {
        file: "durable/driver/outbox.ts",
        find: `      tries: row.tries,
    });
    store.outbox.retry(row.id, now() + retryDelayMs(row.tries));`,
        replace: `      tries: row.tries,
    });
    store.outbox.remove(row.id);`,
      },
    ],
    expect: /every effect reaches.* \/ D1/,
  },
  {
    name: "an open attempt is forgotten with the object's memory",
    scene: "crash at the accept",
    patches: [
      {
        file: "durable/driver/storage/tables/attempts.ts",
        find: `const openAttempts = this.#load(1);`,
        replace: `const openAttempts: Attempts = new Map([...this.#load(1)].slice(0, 0));`,
      },
    ],
    expect: /every attempt settles|every effect reaches/,
  },
  {
    name: "the ETag outlives the filters that it was given for",
    test: "test/engine/events.test.ts",
    patches: [
      {
        file: "durable/engine/machine.ts",
        find: `updateTransient(transition, { etag: null, triedOffers: new Set() });`,
        replace: `updateTransient(transition, { triedOffers: new Set() });`,
      },
    ],
    expect: /makes what was tried eligible again/,
  },
  {
    name: "a ticker forgets the drivers that it has called once",
    test: "test/console/fleet/tick-list.test.ts",
    patches: [
      {
        file: "durable/watch/tick-list.ts",
        find: `    else this.#ticked.set(objectName, { at, failures: 0 });
    return at;
  }

  /** A call has failed.`,
        replace: `    else this.#ticked.delete(objectName);
    return at;
  }

  /** A call has failed.`,
      },
    ],
    expect: /calls every object of a thousand as often as it is due/,
  },
  {
    name: "the alarm behind the ticker is not set",
    test: "test/engine/driver/alarm.test.ts",
    patches: [
      {
        file: "durable/driver/alarm.ts",
        find: `if (!this.#guards(next)) await this.#write(next + GUARD_MS);`,
        replace: `if (!this.#guards(next)) this.#setTo = next + GUARD_MS;`,
      },
    ],
    expect: /stands a minute behind the ticker's next call/,
  },
  {
    name: "a ticker that the settings no longer name goes on",
    test: "test/engine/driver/alarm.test.ts",
    patches: [
      {
        file: "durable/driver/ticker-calls.ts",
        find: `return this.#ticker()?.name === tickerName;`,
        replace: `return this.#ticker() !== null;`,
      },
    ],
    expect: /knows the ticker of the settings from any other/,
  },
];
