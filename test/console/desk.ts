import { driverId } from "../../db/shapes/units.ts";
import type { ConsoleContext } from "../../worker/console/acts.ts";
import { decideRequest, actOnDriver } from "../../worker/console/driver-acts.ts";
import type { DriverAct } from "../../worker/contract/console/operator-acts.ts";
import { openCheckout } from "../payments/checkout-harness.ts";

const SETTINGS = {
  ACCESS_TEAM_DOMAIN: "team.example.com",
  ACCESS_AUD: "aud",
  OPS_OWNERS: "owner@example.com,other@example.com",
  OPS_SUPPORT: "one@example.com,two@example.com",
};

export const ANA = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");
export const BIA = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a02");
export const reason = "a test";

type Name = "owner" | "other" | "one" | "two";

/** The console over a database in memory, with two drivers, two owners and two operators of support. */
export function openDesk(settings: Record<string, string> = {}) {
  const at = openCheckout({ ...SETTINGS, ...settings });
  at.addDriver(ANA);
  at.addDriver(BIA);
  const as = (name: Name): ConsoleContext => ({
    ...at.checkout,
    operator: {
      name: `${name}@example.com`,
      role: name === "owner" || name === "other" ? "owner" : "support",
    },
  });
  return {
    ...at,
    as,
    /** The status of an act, or the code of its refusal. */
    act: (name: Name, id: string, input: DriverAct, whose = ANA) =>
      outcomeOf(actOnDriver(as(name), { driverId: whose, id }, input)),
    decide: (name: Name, id: string, approve: boolean) =>
      outcomeOf(decideRequest(as(name), id, { approve, reason })),
  };
}

export type Desk = ReturnType<typeof openDesk>;

/** The status of an answer, or the code of its refusal. */
export async function outcomeOf(answer: Promise<unknown>): Promise<unknown> {
  try {
    const given = await answer;
    return given instanceof Object && "status" in given ? given.status : given;
  } catch (error) {
    if (error instanceof Error && "code" in error) return error.code;
    throw error;
  }
}
