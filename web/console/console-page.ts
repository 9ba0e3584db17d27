import * as z from "zod/mini";
import { driverId, type DriverId } from "../../db/shapes/units.ts";
import {
  fleetList,
  fleetQueryInput,
  type FleetListName,
  type FleetSpan,
} from "../../worker/contract/console/fleet.ts";

/** A screen of the console, by its address. */
export type ConsolePage =
  | { screen: "fleet"; list: FleetListName | null; span: FleetSpan }
  | { screen: "drivers"; query: string }
  | { screen: "driver"; driverId: DriverId }
  | { screen: "money"; search: string }
  | { screen: "prices" }
  | { screen: "raffles" }
  | { screen: "cities" }
  | { screen: "voice" }
  | { screen: "log" }
  | { screen: "requests" }
  | { screen: "unknown" };

/** The screen at an address; the console opens at the fleet. */
export function pageAt({ pathname, search }: Pick<Location, "pathname" | "search">): ConsolePage {
  const [, , screen = "fleet", id, ...rest] = pathname.replace(/\/$/, "").split("/");
  const isPlain =
    screen === "log" ||
    screen === "prices" ||
    screen === "raffles" ||
    screen === "cities" ||
    screen === "requests" ||
    screen === "voice";
  if (isPlain && id === undefined) return { screen };
  if (screen === "money" && id === undefined) return { screen, search };
  if (screen === "fleet" && id === undefined) return fleetAt(new URLSearchParams(search));
  if (screen !== "drivers" || rest.length > 0) return { screen: "unknown" };
  if (id === undefined) return { screen: "drivers", query: new URLSearchParams(search).get("q") ?? "" };
  const known = z.safeParse(driverId, id);
  return known.success ? { screen: "driver", driverId: known.data } : { screen: "unknown" };
}

function fleetAt(search: URLSearchParams): ConsolePage {
  return {
    screen: "fleet",
    list: z.safeParse(fleetList, search.get("in")).data ?? null,
    span: z.safeParse(fleetQueryInput, { span: search.get("span") }).data?.span ?? "day",
  };
}

const DRIVERS = "/ops/drivers";

export const CONSOLE_PATHS = {
  fleet: "/ops/fleet",
  fleetList: (list: FleetListName) => `/ops/fleet?in=${list}#list`,
  drivers: DRIVERS,
  /** The search for what was typed, which its screen opens with. */
  driversLike: (typed: string) => {
    const query = typed.trim();
    return query === "" ? DRIVERS : `${DRIVERS}?q=${encodeURIComponent(query)}`;
  },
  money: "/ops/money",
  prices: "/ops/prices",
  raffles: "/ops/raffles",
  cities: "/ops/cities",
  voice: "/ops/voice",
  requests: "/ops/requests",
  log: "/ops/log",
  driver: (id: DriverId) => `${DRIVERS}/${id}`,
} as const;
