import { expect, it } from "vitest";
import { deploymentAct, driverAct } from "../../../worker/contract/console/operator-acts.ts";
import { driverTable, exportOrder } from "../../../worker/contract/console/operator-exports.ts";

const reason = "a test";
const words = { en: "Rain", es: "Lluvia", pt: "Chuva" };
const seedHash = "0123456789abcdef".repeat(4);
const span = { startsAt: 1_000, endsAt: 2_000 };
const seal = `v2.${["salt", "nonce", "cipher"].map((part) => part.padEnd(8, "-_aZ0")).join(".")}`;
const raffle = {
  act: "raffle",
  raffle: "autumn-2026_b",
  plan: "7days",
  ...span,
  winners: 10,
  prize: words,
  seedHash,
  sealedSeed: seal,
  reason,
};
const announcement = { act: "announce", ...words, audience: "all", audienceOf: null, ...span, reason };
const price = { act: "special_price", plan: "7days", priceCents: 1, endsAt: 2_000, reason };
const sale = { act: "sale", plan: "14days", priceCents: 1, ...span, reason };
const listPrice = { act: "list_price", plan: "7days", priceCents: 9_999_999, startsAt: null, reason };
const refund = { act: "refund", paymentId: "pay_1:a-b", cents: 1, keepsDays: true, reason };
const change = {
  act: "change_number",
  phoneNumber: "+15550100100",
  checks: ["platform_email", "last_block"],
  reason,
};
const draw = { act: "draw", raffle: "autumn", seed: "a seed", reason };
const spots = { act: "city_spots", city: "Boise", spots: 0, reason };
const newCity = { ...spots, isNewCity: true };
const compensation = { act: "compensate_raffle", raffle: "autumn", points: 1, reason };

const withReason = (acts: readonly string[]) => acts.map((act) => ({ act, reason }));

it.each<object>([
  { act: "days", days: -365, reason },
  { act: "days", days: 365, reason },
  { act: "points", points: -100_000, reason },
  { act: "points", points: 100_000, reason },
  refund,
  price,
  { act: "end_price", discountId: "d".repeat(128), reason },
  change,
  { act: "resend_text", textId: "t", reason },
  { act: "check_payment", paymentId: "p", reason },
  ...withReason([
    "sign_out",
    "unlink",
    "disable",
    "enable",
    "test_text",
    "show_phone",
    "end_renewal",
    "unlock",
  ]),
  ...withReason(["export_data", "erase"]),
])("takes as an act on a driver %j", (act) => {
  expect(driverAct.parse(act)).toEqual(act);
});

it.each<object>([
  { act: "days", days: 0, reason },
  { act: "days", days: 366, reason },
  { act: "days", days: -366, reason },
  { act: "days", days: 1.5, reason },
  { act: "points", points: 0, reason },
  { act: "points", points: 100_001, reason },
  { act: "points", points: -100_001, reason },
  { ...refund, cents: 0 },
  { ...refund, cents: 0.5 },
  { ...refund, keepsDays: undefined },
  { ...refund, paymentId: "pay 1" },
  { ...price, priceCents: 0 },
  { ...price, plan: "1day" },
  { act: "end_price", discountId: "d".repeat(129), reason },
  { act: "end_price", discountId: "", reason },
  { ...change, phoneNumber: "+445550100100" },
  { ...change, phoneNumber: "+1555010010" },
  { ...change, phoneNumber: "+155501001001" },
  { ...change, checks: ["last_block"] },
  { ...change, checks: ["last_block", "last_block"] },
  { ...change, checks: ["last_block", "her voice"] },
  { act: "enable", reason: " a " },
  { act: "enable", reason: "a".repeat(301) },
  { act: "enable" },
  { act: "enable", reason, days: 1 },
  { act: "promote", reason },
])("takes as no act on a driver %j", (act) => {
  expect(driverAct.safeParse(act).success).toBe(false);
});

it.each<object>([
  sale,
  { act: "end_sale", saleId: "sale-1", reason },
  listPrice,
  { ...listPrice, priceCents: 1, startsAt: 1_000 },
  announcement,
  { ...announcement, audience: "city", audienceOf: "a".repeat(100), en: "a".repeat(240) },
  { act: "end_announcement", announcementId: "a", reason },
  ...withReason(["after_restore", "release_renewals", "revoke_keys", "rotate_keys", "end_sessions"]),
  { act: "resolve_error", errorId: "e", reason },
  { act: "reopen_error", errorId: "e", reason },
  spots,
  { ...spots, spots: 1_000_000 },
  { ...spots, spots: null },
  newCity,
  raffle,
  { ...raffle, winners: 1_000, prize: null, sealedSeed: null, raffle: "r".repeat(64) },
  { ...raffle, sealedSeed: `v1.${"a".repeat(8)}.${"b".repeat(400)}.${"c".repeat(8)}.${"d".repeat(8)}` },
  { act: "end_raffle", raffle: "autumn", reason },
  compensation,
  { ...compensation, points: 100_000 },
  draw,
  { ...draw, signature: "0123456789ab".repeat(8) },
])("takes as an act on the deployment %j", (act) => {
  expect(deploymentAct.parse(act)).toEqual(act);
});

it.each<object>([
  { ...sale, priceCents: 0 },
  { ...sale, startsAt: null },
  { ...listPrice, priceCents: 0 },
  { ...listPrice, priceCents: 10_000_000 },
  { ...announcement, es: undefined },
  { ...announcement, es: " " },
  { ...announcement, es: "a".repeat(241) },
  { ...announcement, audience: "nobody" },
  { ...announcement, audience: "city", audienceOf: "" },
  { ...announcement, audience: "city", audienceOf: "a".repeat(101) },
  { ...spots, spots: -1 },
  { ...spots, spots: 1_000_001 },
  { ...spots, city: " " },
  { ...spots, city: "a".repeat(101) },
  { ...raffle, raffle: "the autumn" },
  { ...raffle, raffle: "r".repeat(65) },
  { ...raffle, winners: 0 },
  { ...raffle, winners: 1_001 },
  { ...raffle, prize: { ...words, pt: "" } },
  { ...raffle, prize: { ...words, pt: "a".repeat(201) } },
  { ...raffle, seedHash: seedHash.slice(1) },
  { ...raffle, seedHash: `${seedHash}0` },
  { ...raffle, seedHash: seedHash.toUpperCase() },
  { ...raffle, sealedSeed: "the seed itself" },
  { ...raffle, sealedSeed: seal.replace("v2", "v3") },
  { ...raffle, sealedSeed: seal.split(".").slice(0, 3).join(".") },
  { ...raffle, sealedSeed: `${seal}.${"d".repeat(8)}.${"e".repeat(8)}` },
  { ...raffle, sealedSeed: `v2.${"a".repeat(7)}.${"b".repeat(8)}.${"c".repeat(8)}` },
  { ...raffle, sealedSeed: `v2.${"a".repeat(401)}.${"b".repeat(8)}.${"c".repeat(8)}` },
  { ...compensation, points: 0 },
  { ...compensation, points: 100_001 },
  { ...draw, seed: "" },
  { ...draw, seed: "s".repeat(201) },
  { ...draw, signature: "" },
  { ...draw, signature: "g".repeat(96) },
  { act: "end_sessions", reason, city: "Boise" },
  { act: "delete_everything", reason },
])("takes as no act on the deployment %j", (act) => {
  expect(deploymentAct.safeParse(act).success).toBe(false);
});

it("makes an announcement, a city and a reason one trimmed line", () => {
  expect(deploymentAct.parse({ ...announcement, en: " Rain\n\tahead\u2028", reason: " a\ntest " })).toEqual({
    ...announcement,
    en: "Rain ahead",
    reason: "a test",
  });
  expect(deploymentAct.parse({ ...spots, city: " Boise " })).toEqual(spots);
});

const days = { from: "2026-11-01", to: "2026-11-30", zone: "America/New_York" };
const driver = "6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01";

it.each<object>([
  { table: "payments", ...days },
  { table: "refunds", ...days },
  { table: "disputes", ...days },
  { table: "drivers", q: "ana" },
  { table: "acts" },
  { table: "cities" },
  { table: "fleet", in: "stale" },
  { table: "comments" },
  ...driverTable.options.map((part) => ({ table: "driver", driver, part })),
])("exports for a reason %j", (order) => {
  expect(exportOrder.parse({ ...order, reason })).toEqual({ ...order, reason });
  expect(exportOrder.safeParse(order).success).toBe(false);
});

it.each<object>([
  { table: "payments", ...days, from: "November" },
  { table: "refunds", ...days, to: undefined },
  { table: "disputes", ...days, zone: "New York" },
  { table: "drivers" },
  { table: "fleet" },
  { table: "driver", driver, part: "passwords" },
  { table: "driver", part: "live" },
  { table: "sessions" },
  { table: "acts", limit: 1 },
])("exports nothing for %j", (order) => {
  expect(exportOrder.safeParse({ ...order, reason }).success).toBe(false);
});
