import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS } from "../../db/shapes/units.ts";
import { sha256Hex } from "../../db/shapes/sha256-hex.ts";
import { UsageError } from "../../worker/operators/arguments.ts";
import { CONSOLE_CHECKS } from "../../worker/operators/console-checks.ts";
import {
  accessToDeployment,
  ConsoleError,
  createConsoleClient,
} from "../../worker/operators/console-client.ts";
import { CONSOLE_COMMANDS } from "../../worker/operators/console-commands.ts";
import { reconcileQueryInput } from "../../worker/contract/console/operator-money.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const reason = "a test";
const ANA = { id: "6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01", name: "Ana", phone: "••• 0123", humanRegion: null };
const seed = "a seed";

/** Where acts were sent, and the acts. */
let calls: string[];
let sent: unknown[];
let drivers: (typeof ANA)[];
let raffle: { id: string; seedHash: string; sealedSeed: string | null; status: string; endsAt: number };
beforeEach(async () => {
  calls = [];
  sent = [];
  drivers = [ANA];
  raffle = { id: "autumn", seedHash: await sha256Hex(seed), sealedSeed: null, status: "over", endsAt: NOW };
});

/** A console that finds these drivers and this raffle, and does every act. */
const client = createConsoleClient({ url: "https://console.test", headers: {} }, async (input, init) => {
  const path = String(input).replace("https://console.test/ops/v1", "");
  if (init?.method === "POST") {
    calls.push(path);
    sent.push(JSON.parse(String(init.body)));
  }
  const act = { id: "act", act: "done", before: { days: 0 }, after: { days: 3 } };
  const answers = { drivers, hasMore: false, raffles: [raffle], cities: [], status: "done", act, steps: [] };
  return Response.json(answers);
});
const run = async (name: string, driver: string | undefined, values: Record<string, unknown>) =>
  CONSOLE_COMMANDS[name]?.(client, { driver, values }, NOW);

describe("a command of an operator", () => {
  it("acts on the one driver that was named", async () => {
    const lines = await run("grant", "+1555", { days: "3", reason });
    expect(calls).toEqual([`/drivers/${ANA.id}/acts`]);
    expect(lines).toEqual([`done  Ana  done  {"days":0} → {"days":3}`]);
  });

  it.each<[string, Record<string, unknown>, object]>([
    ["grant", { days: "-3" }, { act: "days", days: -3 }],
    ["grant", { points: "30" }, { act: "points", points: 30 }],
    [
      "refund",
      { payment: "one", amount: "10.50" },
      { act: "refund", paymentId: "one", cents: 1_050, keepsDays: false },
    ],
    [
      "refund",
      { payment: "one", amount: "10", "keeps-days": true },
      { act: "refund", paymentId: "one", cents: 1_000, keepsDays: true },
    ],
    [
      "price",
      { plan: "7days", amount: "10.00", for: "7" },
      { act: "special_price", plan: "7days", priceCents: 1_000, endsAt: NOW + 7 * DAY_MS },
    ],
    ["disable", {}, { act: "disable" }],
    ["enable", {}, { act: "enable" }],
  ])("%s with %j does to the driver what was typed", async (name, values, act) => {
    await run(name, "+1555", { ...values, reason });
    expect(calls).toEqual([`/drivers/${ANA.id}/acts`]);
    expect(sent).toEqual([{ ...act, reason }]);
  });

  it.each<[string, Record<string, unknown>, object]>([
    [
      "price",
      { plan: "7days", amount: "10.00", from: "2026-12-01", to: "2026-12-02" },
      {
        act: "sale",
        plan: "7days",
        priceCents: 1_000,
        startsAt: Date.parse("2026-12-01"),
        endsAt: Date.parse("2026-12-03"),
      },
    ],
    [
      "list-price",
      { plan: "7days", amount: "10.00" },
      { act: "list_price", plan: "7days", priceCents: 1_000, startsAt: null },
    ],
    [
      "list-price",
      { plan: "7days", amount: "10.00", from: "2026-12-01" },
      { act: "list_price", plan: "7days", priceCents: 1_000, startsAt: Date.parse("2026-12-01") },
    ],
    ["draw", { id: "autumn", seed }, { act: "draw", raffle: "autumn", seed }],
    [
      "draw",
      { id: "autumn", seed, signature: "ab" },
      { act: "draw", raffle: "autumn", seed, signature: "ab" },
    ],
    [
      "compensate-raffle",
      { id: "autumn", points: "10" },
      { act: "compensate_raffle", raffle: "autumn", points: 10 },
    ],
    ["spots", { city: "Reno", spots: "12" }, { act: "city_spots", city: "Reno", spots: 12 }],
    ["spots", { city: "Reno", spots: "none" }, { act: "city_spots", city: "Reno", spots: null }],
    [
      "spots",
      { city: "Reno", spots: "1", "new-city": true },
      { act: "city_spots", city: "Reno", spots: 1, isNewCity: true },
    ],
    ["after-restore", {}, { act: "after_restore" }],
    ["release-renewals", {}, { act: "release_renewals" }],
    ["revoke-keys", {}, { act: "revoke_keys" }],
    ["rotate-keys", {}, { act: "rotate_keys" }],
    ["end-sessions", {}, { act: "end_sessions" }],
  ])("%s with %j does to everybody what was typed", async (name, values, act) => {
    await run(name, undefined, { ...values, reason });
    expect(calls).toEqual(["/acts"]);
    expect(sent).toEqual([{ ...act, reason }]);
  });

  it.each<[string, string | undefined, Record<string, unknown>]>([
    ["driver", undefined, {}],
    ["grant", undefined, { days: "3", reason }],
    ["grant", "+1555", { reason }],
    ["grant", "+1555", { days: "3", points: "3", reason }],
    ["grant", "+1555", { days: "three", reason }],
    ["grant", "+1555", { days: "3" }],
    ["grant", "+1555", { days: "3", reason: " a " }],
    ["refund", "+1555", { amount: "10.00", reason }],
    ["refund", "+1555", { payment: "one", amount: "10.5", reason }],
    ["refund", "+1555", { payment: "one", reason }],
    ["price", "+1555", { plan: "1day", amount: "10.00", for: "7", reason }],
    ["price", undefined, { plan: "7days", amount: "10.00", reason }],
    ["price", undefined, { plan: "7days", amount: "10.00", from: "soon", to: "2026-12-01", reason }],
    ["list-price", undefined, { plan: "1day", amount: "10.00", reason }],
    ["list-price", undefined, { plan: "7days", amount: "10.00", from: "soon", reason }],
    ["promotion", undefined, { id: "autumn", reason }],
    ["draw", undefined, { seed, reason }],
    ["compensate-raffle", undefined, { points: "10", reason }],
    ["spots", undefined, { city: "city", reason }],
  ])("%s %s does nothing with %j", async (name, driver, values) => {
    await expect(run(name, driver, values)).rejects.toThrow(UsageError);
    expect(calls).toEqual([]);
  });

  it("announces a raffle with the fingerprint of its seed, and names its page", async () => {
    const seedHash = await sha256Hex(seed);
    const terms = { id: "winter", plan: "14days", from: "2026-12-01", to: "2027-01-01", winners: "2" };
    const lines = await run("promotion", undefined, { ...terms, "seed-hash": seedHash, reason });
    expect(sent).toMatchObject([{ act: "raffle", raffle: "winter", seedHash, sealedSeed: null, winners: 2 }]);
    expect(lines?.slice(1)).toEqual([`fingerprint  ${seedHash}`, "page         <PUBLIC_URL>/raffle/winter"]);
  });

  it("does nothing to nobody, and nothing to one of several", async () => {
    drivers = [];
    await expect(run("disable", "+1555", { reason })).rejects.toThrow("Nobody was found.");
    drivers = [ANA, { ...ANA, id: "another" }];
    await expect(run("disable", "+1555", { reason })).rejects.toThrow("2 drivers were found");
    drivers = [ANA];
    await expect(run("disable", "010-0123", { reason })).rejects.toThrow(
      "Give the whole number, its last four",
    );
    expect(calls).toEqual([]);
    expect(await run("disable", "0123", { reason })).toHaveLength(1);
  });

  it("acts on the one driver whose id was given, where a number is that of several", async () => {
    const asked: string[] = [];
    const act = { id: "act", act: "disable", before: {}, after: {} };
    const console = createConsoleClient({ url: "https://console.test", headers: {} }, async (input) => {
      asked.push(String(input).replace("https://console.test/ops/v1", ""));
      return Response.json({ driver: ANA, status: "done", act });
    });
    const lines = await CONSOLE_COMMANDS["disable"]?.(console, { driver: ANA.id, values: { reason } }, NOW);
    expect(asked).toEqual([`/drivers/${ANA.id}`, `/drivers/${ANA.id}/acts`]);
    expect(lines).toEqual(["disable  Ana  done  {} → {}"]);
  });

  it("draws a raffle with the seed that its fingerprint was made of", async () => {
    await run("draw", undefined, { id: "autumn", seed, reason });
    expect(calls).toEqual(["/acts"]);
  });

  it.each<[string, Partial<typeof raffle>, Record<string, unknown>, string]>([
    ["that there is none of", { id: "winter" }, { seed }, "There is no such raffle."],
    ["that was drawn", { status: "drawn" }, { seed }, "It was drawn already."],
    ["that was announced with another seed", {}, { seed: "another" }, "does not fit the fingerprint"],
    ["whose seed no passphrase opens", {}, {}, "does not open its seed"],
  ])("draws no raffle %s", async (_what, change, values, words) => {
    raffle = { ...raffle, ...change };
    const drawn = run("draw", undefined, { id: "autumn", ...values, reason });
    await expect(drawn).rejects.toThrow(ConsoleError);
    await expect(drawn).rejects.toThrow(words);
    expect(calls).toEqual([]);
  });
});

/** The lines of a command, where the console's answers have these fields beside those of an act. */
const linesOf = async (
  name: string,
  typed: { driver?: string; values?: Record<string, unknown> },
  answer: object,
) => {
  const act = { id: "act", act: "done", before: {}, after: {} };
  const answering = createConsoleClient({ url: "https://console.test", headers: {} }, async () =>
    Response.json({ status: "done", act, ...answer }),
  );
  return CONSOLE_COMMANDS[name]?.(answering, { driver: typed.driver, values: typed.values ?? {} }, NOW);
};

describe("a command prints", () => {
  it("each driver of several, and whether there are more", async () => {
    const two = [ANA, { ...ANA, id: "another", humanRegion: "Boise" }];
    const lines = [`${ANA.id}  Ana  ••• 0123  `, "another  Ana  ••• 0123  Boise"];
    const found = (hasMore: boolean) => linesOf("driver", { driver: "an" }, { drivers: two, hasMore });
    expect(await found(false)).toEqual([...lines, "2 found"]);
    expect(await found(true)).toEqual([...lines, "and more"]);
    expect(await linesOf("driver", { driver: "an" }, { drivers: [], hasMore: false })).toEqual(["0 found"]);
  });

  it("one driver's state, service, points and payments", async () => {
    const payment = {
      id: "payment-1",
      plan: "7days",
      status: "settled",
      totalCents: 5_022,
      refundedCents: 5,
      currency: "USD",
    };
    const shown = (isOn: boolean, until: number | null) =>
      linesOf(
        "driver",
        { driver: "an" },
        {
          drivers: [ANA],
          hasMore: false,
          driver: { name: "Ana", phone: "••• 0123", isSwitchedOn: isOn, isLinked: isOn },
          service: { until },
          points: { balance: 7 },
          payments: [payment],
          snapshot: { phase: { kind: "polling" } },
        },
      );
    const paid = "payment  payment-1  7days  settled  50.22 USD, 0.05 refunded";
    expect(await shown(true, NOW)).toEqual([
      `${ANA.id}  Ana  ••• 0123`,
      "state    polling, on, linked",
      "service  until 2026-11-21T12:00:00.000Z",
      "points   7",
      paid,
    ]);
    expect((await shown(false, null))?.slice(1)).toEqual([
      "state    polling, off, not linked",
      "service  never had any",
      "points   7",
      paid,
    ]);
  });

  it("the rest of a driver whose object fails, and how it fails", async () => {
    const lines = await linesOf(
      "driver",
      { driver: "an" },
      {
        drivers: [ANA],
        hasMore: false,
        driver: { name: "Ana", phone: "••• 0123", isSwitchedOn: true, isLinked: true },
        service: { until: null },
        points: { balance: 7 },
        payments: [],
        snapshot: null,
        failure: { errors: ["RemoteError", "TypeError"], place: "load (index.js:1:2)" },
      },
    );
    expect(lines?.[1]).toBe("state    no answer (RemoteError, TypeError), on, linked");
    expect(lines?.at(-1)).toBe("points   7");
  });

  it("each city's spots, after a change of one", async () => {
    const cities = [
      { city: "Boise", spots: 10, taken: 9, waiting: 2 },
      { city: "Reno", spots: null, taken: 1, waiting: 0 },
    ];
    const lines = ["Boise  10 spots  9 taken  2 waiting", "Reno  no limit  1 taken  0 waiting"];
    expect(await linesOf("spots", {}, { cities })).toEqual(lines);
    const values = { city: "Reno", spots: "none", reason };
    expect(await linesOf("spots", { values }, { cities })).toEqual([
      "done  everybody  done  {} → {}",
      ...lines,
    ]);
  });

  it("the steps of a price before it is set, or alone", async () => {
    const steps = [
      { at: NOW, listCents: 4_987, payCents: 4_987 },
      { at: NOW + 1_000, listCents: 5_499, payCents: 4_505 },
    ];
    const lines = [
      "2026-11-21T12:00:00.000Z  7days  49.87",
      "2026-11-21T12:00:01.000Z  7days  45.05  list price 54.99",
    ];
    const values = { plan: "7days", amount: "54.99", reason };
    expect(await linesOf("list-price", { values: { ...values, "dry-run": true } }, { steps })).toEqual(lines);
    expect(await linesOf("list-price", { values }, { steps })).toEqual([
      ...lines,
      "done  everybody  done  {} → {}",
    ]);
  });
});

it.each<[string, Response | Error, string]>([
  [
    "its words, its code and its fields",
    Response.json(
      {
        code: "invalid_request",
        message: { en: "Something is wrong.", es: "" },
        fields: { cents: "too_large", plan: "invalid" },
      },
      { status: 400 },
    ),
    "Something is wrong. (invalid_request) cents: too_large. plan: invalid.",
  ],
  [
    "its words and its code alone",
    Response.json({ code: "conflict", message: { en: "It changed." } }, { status: 409 }),
    "It changed. (conflict)",
  ],
  [
    "a number where it is no JSON, and that the act may be done",
    new Response("oops", { status: 502 }),
    "The console answered with 502. It may be done all the same: look at the log before you repeat it.",
  ],
  [
    "who keeps it out",
    new Response(null, { status: 302 }),
    "Cloudflare Access does not let this program in.",
  ],
  [
    "why it was not reached",
    new Error("no route"),
    "https://console.test can't be reached: Error: no route. It may be done all the same: look at the log before you repeat it.",
  ],
])("a refusal says %s", async (_what, answer, words) => {
  const refusing = createConsoleClient({ url: "https://console.test", headers: {} }, async () => {
    if (answer instanceof Error) throw answer;
    return answer.clone();
  });
  const refused = CONSOLE_COMMANDS["end-sessions"]?.(
    refusing,
    { driver: undefined, values: { reason } },
    NOW,
  );
  await expect(refused).rejects.toMatchObject({ name: "ConsoleError", message: words });
});

it.each([
  ["is cut off", () => new Response(new ReadableStream({ start: (body) => body.error(new Error("cut")) }))],
  ["is one of a proxy", () => new Response("oops", { status: 504 })],
  ["never comes", () => Promise.reject(new TypeError("fetch failed"))],
])("a program repeats an act whose answer %s, under the same key", async (_what, lost) => {
  const keys: (string | null)[] = [];
  const forgetful = createConsoleClient(
    { url: "https://console.test", headers: {} },
    async (_input, init) => {
      keys.push(new Headers(init?.headers).get("idempotency-key"));
      return keys.length === 1
        ? lost()
        : Response.json({ status: "done", act: { id: "a", act: "end_sessions", before: {}, after: {} } });
    },
  );
  const lines = await CONSOLE_COMMANDS["end-sessions"]?.(
    forgetful,
    { driver: undefined, values: { reason } },
    NOW,
  );
  expect(lines).toEqual(["end_sessions  everybody  done  {} → {}"]);
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});

describe("a city that no driver is in", () => {
  const refusedWith = (fields: object, known: string[]) => {
    const cities = known.map((city) => ({ city, spots: null, taken: 1, waiting: 0 }));
    const refusing = createConsoleClient({ url: "https://console.test", headers: {} }, async (_input, init) =>
      init?.method === "POST"
        ? Response.json({ code: "invalid_request", message: { en: "No." }, fields }, { status: 400 })
        : Response.json({ cities }),
    );
    const values = { city: "New Yrok City", spots: "50", reason };
    return CONSOLE_COMMANDS["spots"]?.(refusing, { driver: undefined, values }, NOW);
  };
  const end = "If any city has a limit, drivers link before they first pay. If you mean it, add --new-city.";

  it("is refused with the nearest known names", async () => {
    const nearest = `"New York City", "York City", "Newark"`;
    const known = ["Philadelphia", "Newark", "New York City", "York City"];
    await expect(refusedWith({ city: "invalid" }, known)).rejects.toMatchObject({
      name: "ConsoleError",
      message: `No driver is in "New Yrok City". The nearest known: ${nearest}. ${end}`,
    });
    await expect(refusedWith({ city: "invalid" }, [])).rejects.toThrow(
      `No driver is in "New Yrok City". ${end}`,
    );
  });

  it("is not what is said of another refusal", async () => {
    await expect(refusedWith({ spots: "too_large" }, ["Boise"])).rejects.toThrow(
      "No. (invalid_request) spots: too_large.",
    );
  });
});

it.each<[string, string | null, Record<string, string>, string]>([
  ["drivers' address", null, {}, "https://drivers.test"],
  ["an address of its own", "https://ops.test", {}, "https://ops.test"],
  ["another that the shell names", "https://ops.test", { OPS_URL: "http://localhost" }, "http://localhost"],
])("the doctor asks the console at %s", (_what, url, env, asked) => {
  const token = { CF_ACCESS_CLIENT_ID: "id", CF_ACCESS_CLIENT_SECRET: "secret" };
  const access = accessToDeployment(
    { publicUrl: "https://drivers.test", operators: { url } },
    { ...token, ...env },
  );
  expect(access?.url).toBe(asked);
});

it.each(["balance", "journal", "reconcile"])("the check %s asks for days", async (name) => {
  const checked = CONSOLE_CHECKS[name]?.(client, { from: "yesterday", to: "today" });
  await expect(checked).rejects.toThrow(UsageError);
});

it.each<[string, Record<string, unknown>, { path: string; from: string; to: string }[]]>([
  ["balance", { to: "2026-11-21" }, [{ path: "/journal", from: "2026-11-21", to: "2026-11-21" }]],
  [
    "journal",
    { from: "2026-11-01", to: "2026-11-30" },
    [{ path: "/journal", from: "2026-11-01", to: "2026-11-30" }],
  ],
  [
    "reconcile",
    { from: "2026-10-01", to: "2026-11-02" },
    [
      { path: "/reconcile", from: "2026-10-01", to: "2026-10-31" },
      { path: "/reconcile", from: "2026-11-01", to: "2026-11-02" },
    ],
  ],
])(
  "the check %s asks with %j for the days that were typed, as the console takes them",
  async (name, values, days) => {
    const asked: object[] = [];
    const empty = { closedUntil: null, balance: [], lines: [], hasMore: false };
    const console = createConsoleClient({ url: "https://console.test", headers: {} }, async (input) => {
      const { pathname, searchParams } = new URL(String(input));
      const query = reconcileQueryInput.parse(Object.fromEntries(searchParams));
      asked.push({ path: pathname.replace("/ops/v1", ""), ...query });
      return Response.json({ ...empty, payments: 0, paidCents: 0, differences: [] });
    });
    await CONSOLE_CHECKS[name]?.(console, values);
    expect(asked).toEqual(days);
  },
);

it("the trial balance adds up each unit, and says to which day the books are closed", async () => {
  const line = (account: string, unit: string, amount: number) => ({ account, unit, amount });
  const check = async (journal: object) => {
    const console = createConsoleClient({ url: "https://console.test", headers: {} }, async () =>
      Response.json({ lines: [], hasMore: false, ...journal }),
    );
    return CONSOLE_CHECKS["balance"]?.(console, { from: undefined, to: "2026-11-21" });
  };
  const balance = [line("cards", "USD", 500), line("sales", "USD", -500), line("points", "points", 3)];
  expect(await check({ balance, closedUntil: null })).toEqual({
    lines: [
      "cards  USD  500",
      "sales  USD  -500",
      "points  points  3",
      "USD adds up to 0",
      "points adds up to 3",
      "closed until no day",
    ],
    isWell: false,
  });
  expect(await check({ balance: balance.slice(0, 2), closedUntil: "2026-11-20" })).toEqual({
    lines: ["cards  USD  500", "sales  USD  -500", "USD adds up to 0", "closed until 2026-11-20"],
    isWell: true,
  });
});
