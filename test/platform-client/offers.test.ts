import { describe, expect, it } from "vitest";
import { bodyOf, CALLS, ids, itemsOf, NOW, AGENT, replayResponse, createPlatformHarness } from "./harness.ts";

const good = { ...bodyOf("list-offers"), offers: undefined };
const [first] = itemsOf("list-offers", "offers");

const AT_NINE = Date.parse("2026-11-22T14:00:00Z");
const SPOILED: [string, unknown][] = [
  ["no object", "off_1"],
  ["null", null],
  ["no pay", { ...first, pay: undefined }],
  ["negative pay", { ...first, pay: { amount: -1, currency: "USD" } }],
  ["fractions of a cent", { ...first, pay: { amount: 94.5, currency: "USD" } }],
  ["an id with a space", { ...first, offerId: "off 1" }],
  ["an end before the start", { ...first, endsAt: "2026-11-22T08:00:00-05:00" }],
  ["a time without an offset", { ...first, startsAt: "2026-11-22T09:00:00" }],
  ["a day that is in no calendar", { ...first, startsAt: "2026-11-31T09:00:00Z" }],
];

it.each(SPOILED)("skips and counts an offer with %s and keeps the others", async (_, spoiled) => {
  const { platform } = createPlatformHarness(() =>
    replayResponse("list-offers", { body: { ...good, offers: [spoiled, first, spoiled] } }),
  );
  expect(await CALLS.listOffers(platform)).toMatchObject({
    kind: "offers",
    offers: [{ offerId: "off_1" }],
    skipped: 2,
  });
});

it("keeps an offer with a malformed surge flag, which no decision depends on", async () => {
  const { platform } = createPlatformHarness(() =>
    replayResponse("list-offers", { body: { offers: [{ ...first, surge: "high" }] } }),
  );
  expect(await CALLS.listOffers(platform)).toMatchObject({ offers: [{ surge: false }], skipped: 0 });
});

it.each(["flowers", 7, null, undefined])(
  "keeps an item whose service is %j as other",
  async (serviceType) => {
    const reply = (name: string, list: string) => {
      const body = { [list]: itemsOf(name, list).map((item) => ({ ...item, serviceType })) };
      return createPlatformHarness(() => replayResponse(name, { body })).platform;
    };
    const other = [{ serviceType: "other" }, { serviceType: "other" }];
    expect([
      await CALLS.listOffers(reply("list-offers", "offers")),
      await CALLS.listBlocks(reply("list-blocks", "blocks")),
      await CALLS.listWarehouses(reply("list-warehouses", "warehouses")),
    ]).toMatchObject([
      { offers: other, skipped: 0 },
      { blocks: serviceType === "flowers" ? other : [{}, {}] },
      { warehouses: other, skipped: 0 },
    ]);
  },
);

it("skips a warehouse with an unknown time zone", async () => {
  const [one, two] = itemsOf("list-warehouses", "warehouses");
  const body = { warehouses: [{ ...one, timeZone: "America/Gotham" }, two] };
  const { platform } = createPlatformHarness(() => replayResponse("list-warehouses", { body }));
  expect(await CALLS.listWarehouses(platform)).toMatchObject({
    warehouses: [{ warehouseId: "WFM-12" }],
    skipped: 1,
  });
});

const WRITTEN_OTHERWISE: [string, Record<string, unknown>, object][] = [
  ["a zone without a colon", { startsAt: "2026-11-22T09:00:00-0500" }, { startsAt: AT_NINE }],
  ["a space for the T", { startsAt: "2026-11-22 14:00:00Z" }, { startsAt: AT_NINE }],
  ["seconds of the epoch", { startsAt: AT_NINE / 1000 }, { startsAt: AT_NINE }],
  ["no seconds", { startsAt: "2026-11-22T14:00Z" }, { startsAt: AT_NINE }],
  ["pay as text", { pay: { amount: "9450", currency: "USD" } }, { payCents: 9450 }],
  ["a currency in small letters", { pay: { amount: 9450, currency: "usd" } }, { currency: "USD" }],
  ["an id of 65 letters", { offerId: "o".repeat(65) }, { offerId: "o".repeat(65) }],
  ["an id with a colon", { offerId: "off:1/2" }, { offerId: "off:1/2" }],
  ["a number for an id", { offerId: 4711 }, { offerId: "4711" }],
  ["no expiry", { expiresAt: undefined }, { expiresAt: AT_NINE }],
];

it.each(WRITTEN_OTHERWISE)("reads an offer with %s, and names the field", async (_what, change, read) => {
  const named: string[] = [];
  const { platform } = createPlatformHarness(
    () => replayResponse("list-offers", { body: { offers: [{ ...first, ...change }] } }),
    { onDrift: (field) => named.push(field) },
  );
  expect(await CALLS.listOffers(platform)).toMatchObject({ offers: [read], skipped: 0 });
  expect([...new Set(named)]).toEqual([
    expect.stringMatching(new RegExp(`^listOffers offers\\.${Object.keys(change)[0]}`)),
  ]);
});

it.each([
  [
    "a refusal without a title, of an unknown code",
    422,
    { status: 422, code: "odd" },
    ["problem.code", "problem.title"],
  ],
  ["a refusal that is no JSON", 422, undefined, []],
  ["a gateway's own words", 502, { message: "bad gateway" }, []],
])("names what is odd about a platform's problem: %s", async (_what, status, body, expected) => {
  const named: string[] = [];
  const { platform } = createPlatformHarness(
    () => (body ? Response.json(body, { status }) : new Response("<html>", { status })),
    { onDrift: (field) => named.push(field) },
  );
  await CALLS.listOffers(platform);
  expect(named).toEqual(expected.map((field) => `listOffers ${field}`));
});

it("corrects the expiry by the platform's own clock", async () => {
  const slow = new Date(NOW - 300_000).toUTCString();
  const expiresAt = new Date(NOW - 60_000).toISOString();
  const body = { offers: [{ ...first, expiresAt }] };
  const { platform } = createPlatformHarness(() =>
    replayResponse("list-offers", { body, headers: { date: slow } }),
  );
  expect(await CALLS.listOffers(platform)).toMatchObject({ offers: [{ expiresAt: NOW + 240_000 }] });
});

describe("a held block", () => {
  const [, scheduled] = itemsOf("list-blocks", "blocks");
  const listBlocks = (...blocks: unknown[]) =>
    CALLS.listBlocks(
      createPlatformHarness(() => replayResponse("list-blocks", { body: { blocks } })).platform,
    );

  it.each(["cancelled_by_platform", 7, null, undefined])("of status %j is kept as other", async (status) => {
    expect(await listBlocks({ ...scheduled, status }, scheduled)).toMatchObject({
      blocks: [{ blockId: "blk_1", status: "other" }, { status: "scheduled" }],
      skipped: 1,
    });
  });

  it.each<[string, object, object]>([
    ["id", { blockId: undefined }, { blockId: null }],
    ["well-formed id", { blockId: "no id" }, { blockId: null }],
    ["offer", { offerId: undefined }, { offerId: null }],
    ["pay", { pay: undefined }, { payCents: null, currency: null }],
    ["whole cents", { pay: { amount: 94.5, currency: "USD" } }, { payCents: null }],
    ["warehouse", { warehouseId: null }, { warehouseId: null }],
    ["instant of acceptance", { acceptedAt: "yesterday" }, { acceptedAt: null }],
    ["a start", { startsAt: undefined }, { startsAt: null, endsAt: null }],
    ["a start before its end", { endsAt: "2026-11-22T08:00:00-05:00" }, { startsAt: null, endsAt: null }],
  ])("without %s is counted, and the rest of it is kept", async (_, change, read) => {
    const result = await listBlocks(scheduled, { ...scheduled, ...change });
    expect(result).toMatchObject({ blocks: [{ blockId: "blk_1" }, read], skipped: 1 });
  });

  it.each([
    ["no object", "blk_1"],
    ["null", null],
  ])("that is %s is left out and counted, and the others are kept", async (_, item) => {
    expect(await listBlocks(item, scheduled)).toMatchObject({ blocks: [{ blockId: "blk_1" }], skipped: 1 });
  });

  it("is not readable at all in a malformed list", async () => {
    const { platform } = createPlatformHarness(() => Response.json({ blocks: {} }));
    expect(await CALLS.listBlocks(platform)).toEqual({ kind: "unreadable" });
  });
});

it("skips and counts earnings without an amount and keeps the others", async () => {
  const [one] = itemsOf("read-earnings", "items");
  const body = { ...bodyOf("read-earnings"), items: [{ ...one, amount: null }, one, "blk_7"] };
  const { platform } = createPlatformHarness(() => replayResponse("read-earnings", { body }));
  expect(await CALLS.readEarnings(platform)).toMatchObject({
    kind: "earnings",
    earnings: { items: [{ blockId: "blk_0", amountCents: 9450 }] },
    skipped: 2,
  });
});

it("sends the ETag and parses the quota of a 304", async () => {
  const { platform, requests } = createPlatformHarness(() => replayResponse("list-offers-unchanged"));
  const input = { accessToken: "at", warehouseIds: [ids.warehouse("DNY4")] };
  expect(await platform.listOffers({ ...input, etag: '"w/17"' })).toEqual({
    kind: "unchanged",
    quota: { limit: 120, remaining: 87, resetAt: NOW + 31_000 },
  });
  expect(requests[0]?.headers.get("if-none-match")).toBe('"w/17"');
  expect(await platform.listOffers({ ...input, etag: null })).toMatchObject({ kind: "unreadable" });
});

it("parses the quota of a response whose list can't be read, since that call counts, too", async () => {
  const headers = { "ratelimit-limit": "10", "ratelimit-remaining": "3", "ratelimit-reset": "31" };
  const bodies = ['{"offers":[{"off', '{"offers":7}', "<html>"];
  for (const body of bodies) {
    const { platform } = createPlatformHarness(() => new Response(body, { headers }));
    expect(await CALLS.listOffers(platform)).toEqual({
      kind: "unreadable",
      quota: { limit: 10, remaining: 3, resetAt: NOW + 31_000 },
    });
  }
});

it("has no quota if one of its headers is missing or not a number", async () => {
  const headers = { "ratelimit-limit": "120", "ratelimit-remaining": "many", "ratelimit-reset": "31" };
  const { platform } = createPlatformHarness(() => replayResponse("list-offers", { headers }));
  expect(await CALLS.listOffers(platform)).toMatchObject({ kind: "offers", quota: null, etag: null });
});

it("requests all warehouses if none is given or they don't fit", async () => {
  const { platform, requests } = createPlatformHarness(() => replayResponse("list-offers"));
  const many = Array.from({ length: 200 }, (_, n) => ids.warehouse(`warehouse-with-a-long-name-${n}`));
  for (const warehouseIds of [[], many, many.slice(0, 2)]) {
    await platform.listOffers({ accessToken: "at", warehouseIds, etag: null });
  }
  expect(requests.map(({ url }) => new URL(url).searchParams.get("warehouseIds"))).toEqual([
    null,
    null,
    "warehouse-with-a-long-name-0,warehouse-with-a-long-name-1",
  ]);
});

it("sends user agent, token and the attempt's idempotency key", async () => {
  const { platform, requests } = createPlatformHarness(() => replayResponse("accept-offer"));
  await CALLS.acceptOffer(platform);
  const [request] = requests;
  expect(request?.url).toBe("https://platform.example/v1/offers/off_1/accept");
  expect(request?.redirect).toBe("manual");
  expect(Object.fromEntries(request?.headers ?? [])).toEqual({
    accept: "application/json, application/problem+json",
    authorization: "Bearer at",
    "content-type": "application/json",
    "idempotency-key": "prefix-00001",
    "user-agent": AGENT,
  });
  expect(await request?.json()).toEqual({ payAtLeast: 9000 });
});

it("sends the position that the device measured, with its time", async () => {
  const { platform, requests } = createPlatformHarness(() => replayResponse("check-in"));
  await CALLS.checkIn(platform);
  expect(await requests[0]?.json()).toEqual({
    latitude: 40.75,
    longitude: -73.49,
    accuracyMeters: 12,
    observedAt: "2026-11-21T12:00:00.000Z",
  });
});
