import { expect, it } from "vitest";
import { listRafflesFor } from "../../worker/console/raffle-acts.ts";
import { NOW } from "../payments/checkout-harness.ts";
import { openDesk } from "./desk.ts";

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
