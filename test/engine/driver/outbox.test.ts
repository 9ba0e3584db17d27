import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { driverId } from "../../../db/shapes/units.ts";
import { flushOutbox, type OutboxDeps } from "../../../durable/driver/outbox.ts";
import { openStore } from "../../support/runtime/node-store.ts";
import { NOON } from "../fixtures.ts";

const OWNER = { driverId: driverId.parse("driver-1"), phoneNumber: "+15550100100" } as Parameters<
  typeof flushOutbox
>[0];

it("leaves alone what another run sent while this one waited for the gateway", async () => {
  const store = openStore(new DatabaseSync(":memory:"), () => NOON);
  for (const body of ["one", "two"])
    store.outbox.add({ kind: "text", body, notifications: 0, about: null }, NOON);
  const gateway = Promise.withResolvers<void>();
  const sent: string[] = [];
  const deps = {
    store,
    sending: new Map(),
    now: () => NOON,
    driverTexts: {
      sendText: async ({ body, onLeave }: { body: string; onLeave: () => void }) => {
        sent.push(body);
        onLeave();
        if (body === "one") await gateway.promise;
        return { kind: "sent" };
      },
    },
  } as unknown as OutboxDeps;
  const first = flushOutbox(OWNER, deps);
  await flushOutbox(OWNER, deps);
  gateway.resolve();
  await first;
  expect(sent).toEqual(["one", "two"]);
  expect(store.outbox.nextAt()).toBeNull();
});
