import * as z from "zod/mini";
import { driverId, type DriverId } from "../../db/shapes/units.ts";

/** A screen of the console, by its address. */
export type ConsolePage =
  | { screen: "drivers"; query: string }
  | { screen: "driver"; driverId: DriverId }
  | { screen: "money"; search: string }
  | { screen: "prices" }
  | { screen: "cities" }
  | { screen: "log" }
  | { screen: "unknown" };

/** The screen at an address; the console opens at its search. */
export function pageAt({ pathname, search }: Pick<Location, "pathname" | "search">): ConsolePage {
  const [, , screen = "drivers", id, ...rest] = pathname.replace(/\/$/, "").split("/");
  if ((screen === "log" || screen === "prices" || screen === "cities") && id === undefined) return { screen };
  if (screen === "money" && id === undefined) return { screen, search };
  if (screen !== "drivers" || rest.length > 0) return { screen: "unknown" };
  if (id === undefined) return { screen: "drivers", query: new URLSearchParams(search).get("q") ?? "" };
  const known = z.safeParse(driverId, id);
  return known.success ? { screen: "driver", driverId: known.data } : { screen: "unknown" };
}

export const CONSOLE_PATHS = {
  drivers: "/ops/drivers",
  money: "/ops/money",
  prices: "/ops/prices",
  cities: "/ops/cities",
  log: "/ops/log",
  driver: (id: DriverId) => `/ops/drivers/${id}`,
} as const;
