import { expect, it } from "vitest";
import { loadDriver, toDriverOwner } from "../../../db/queries/accounts/drivers.ts";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import { OwnRecord } from "../../../durable/driver/own-record.ts";
import { activeState } from "../fixtures.ts";
import { DRIVER, openCheckout } from "../../payments/checkout-harness.ts";

/** An object that looks at its record, and something that happens to it before the database's second answer comes. */
async function lookWhile(happens: (machine: ReturnType<typeof makeMachine>) => void) {
  const at = openCheckout();
  at.addDriver(DRIVER);
  const { db } = at.checkout;
  const record = await loadDriver(db, DRIVER);
  if (!record) throw new Error("there is no driver");
  const machine = makeMachine(toDriverOwner(record));
  const sent: string[] = [];
  const slow: typeof db = new Proxy(db, {
    get: (target, name) => {
      if (name !== "batch") return Reflect.get(target, name);
      return async (...given: Parameters<typeof db.batch>) => {
        const answer = await target.batch(...given);
        happens(machine);
        return answer;
      };
    },
  });
  const parts = {
    deps: { db: slow },
    machine,
    loop: { dispatch: ({ kind }: { kind: string }) => void sent.push(kind) },
    alarm: { set: async () => {} },
    objectName: null,
  } as unknown as ConstructorParameters<typeof OwnRecord>[0];
  await new OwnRecord(parts).sync();
  return { owner: machine.owner, sent };
}

function makeMachine(owner: DriverOwner) {
  const machine = {
    owner: owner as DriverOwner | null,
    state: activeState({ profile: null }),
    setOwner: (next: DriverOwner) => {
      machine.owner = next;
    },
    /** The Worker has sent a record. */
    takeNewer(language: DriverOwner["language"]) {
      const { profile } = activeState();
      machine.owner = { ...owner, language };
      machine.state = activeState({ profile: profile && { ...profile, revision: 99 } });
    },
  };
  return machine;
}

it("takes the record that the database has", async () => {
  const { owner, sent } = await lookWhile(() => {});
  expect([owner?.driverId, sent]).toEqual([DRIVER, ["profile_changed"]]);
});

it("leaves a newer one alone that came while the database was asked", async () => {
  const { owner, sent } = await lookWhile((machine) => machine.takeNewer("pt"));
  expect([owner?.language, sent]).toEqual(["pt", []]);
});

it("brings no driver back whose account was deleted while the database was asked", async () => {
  const { owner, sent } = await lookWhile((machine) => {
    machine.owner = null;
  });
  expect([owner, sent]).toEqual([null, []]);
});
