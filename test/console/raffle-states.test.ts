import { expect, it } from "vitest";
import { listRafflesFor } from "../../worker/console/raffle-acts.ts";
import { NOW } from "../payments/checkout-harness.ts";
import { actOnDeployment } from "../../worker/console/deployment-acts.ts";
import { raffleListResponse } from "../../worker/contract/console/operator-deployment.ts";
import { ANA, openDesk, reason } from "./desk.ts";

type Raffle = { startsAt: number; endsAt: number; seed: string | null };

it.each<[string, Raffle, string]>([
  ["begins in a moment", { startsAt: NOW + 1, endsAt: NOW + 2, seed: null }, "ahead"],
  ["begins now", { startsAt: NOW, endsAt: NOW + 1, seed: null }, "running"],
  ["ends now, from when on it can be drawn", { startsAt: NOW - 1, endsAt: NOW, seed: null }, "over"],
  ["is drawn", { startsAt: NOW - 2, endsAt: NOW - 1, seed: "seed" }, "drawn"],
])("a raffle that %s is listed as such", async (_name, { startsAt, endsAt, seed }, status) => {
  const at = openDesk();
  at.run(
    `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash, sealed_seed, seed)
     VALUES ('winter', '14days', ?, ?, 1, '', 'sealed', ?)`,
    startsAt,
    endsAt,
    seed,
  );
  const [owners, supports] = await Promise.all([
    listRafflesFor(at.as("owner")),
    listRafflesFor(at.as("one")),
  ]);
  const sealedSeed = seed === null ? "sealed" : null;
  expect(owners.raffles).toMatchObject([{ id: "winter", status, sealedSeed }]);
  expect(supports.raffles).toMatchObject([{ id: "winter", status, sealedSeed: null }]);
});

it("a raffle whose drivers were compensated is listed as such, and one that nobody was in is not", async () => {
  const at = openDesk();
  for (const id of ["lost", "empty"])
    at.run(
      `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash) VALUES (?, '7days', 0, ?, 1, '')`,
      id,
      NOW - 1,
    );
  at.run(
    `INSERT INTO payments (id, driver_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, revision)
     VALUES ('p', ?, '7days', 'settled', 'USD', 100, 0, 0, 0, 0, 100, 0, 0, 1)`,
    ANA,
  );
  at.run(
    `INSERT INTO raffle_entries (promotion_id, payment_id, driver_id, at) VALUES ('lost', 'p', ?, 1)`,
    ANA,
  );
  const states = async () => {
    const { raffles } = await listRafflesFor(at.as("owner"));
    return Object.fromEntries(raffles.map(({ id, status, isCompensated }) => [id, [status, isCompensated]]));
  };
  expect(await states()).toEqual({ lost: ["over", false], empty: ["over", false] });
  const compensation = { act: "compensate_raffle", raffle: "lost", points: 1, reason } as const;
  await actOnDeployment(at.as("owner"), crypto.randomUUID(), compensation);
  expect(await states()).toEqual({ lost: ["over", true], empty: ["over", false] });
  // A server of before doesn't say.
  const [{ isCompensated: _said, ...old } = {}] = (await listRafflesFor(at.as("owner"))).raffles;
  expect(raffleListResponse.parse({ raffles: [old] }).raffles).toMatchObject([{ isCompensated: false }]);
});
