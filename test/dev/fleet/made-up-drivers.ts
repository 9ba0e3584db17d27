import * as z from "zod/mini";
import type { FleetState } from "../../../db/shapes/fleet.ts";
import type { Language } from "../../../db/shapes/language.ts";
import { DAY_MS, driverId, type DriverId, type DurationMs } from "../../../db/shapes/units.ts";
import { createChance, digest, pick } from "../../sandbox/chance.ts";
import { REGIONS } from "../../sandbox/platform/cities.ts";

/** A driver of the demonstration who never lived: a row in each table that the console reads. */
export type MadeUpDriver = {
  id: DriverId;
  name: string;
  phoneNumber: string;
  email: string;
  city: string;
  timeZone: string;
  language: Language;
  /** How long before the start they joined. */
  joinedAgoMs: DurationMs;
  state: FleetState;
};

const FIRST_NAMES = [
  ..."Ana Bruno Camila Diego Elena Felipe Grace Hugo Ines João Keisha Luis Marta Nelson Olga".split(" "),
  ..."Paulo Rosa Samuel Tanya Umar Vera Wesley Ximena Yara Zoe Andre Beatriz Carlos Dana Emilio".split(" "),
];
const LAST_NAMES =
  "Alves Brooks Castro Duarte Evans Ferreira Gomez Hill Ibarra Jones Kim Lopez Moreno Nunes Ortiz Perez Ramos Silva Torres Vargas".split(
    " ",
  );

/** Fifteen in each of the sandbox's four cities. */
const DRIVERS_A_CITY = 15;
const LANGUAGES_SPOKEN: readonly Language[] = ["en", "es", "es", "pt"];

/** The present states of a city's drivers. The first three wait for what only they can do. */
const STATES: readonly FleetState[] = [
  "no_service",
  "signed_out",
  "verification_required",
  "not_linked",
  "off",
  "asleep",
  "asleep",
  "throttled",
];

/** Some sixty drivers, the same ones on every machine. */
export const MADE_UP_DRIVERS: readonly MadeUpDriver[] = REGIONS.flatMap(
  ({ name: city, timeZone }, region) => {
    const chance = createChance(`drivers of ${city}`);
    return Array.from({ length: DRIVERS_A_CITY }, (_, place) => {
      const index = region * DRIVERS_A_CITY + place;
      const first = FIRST_NAMES[(index * 7) % FIRST_NAMES.length] ?? "Ana";
      const last = LAST_NAMES[(index * 13 + region) % LAST_NAMES.length] ?? "Silva";
      return {
        id: z.parse(driverId, uuidOf(`made-up driver ${index}`)),
        name: `${first} ${last}`,
        phoneNumber: `+1555020${String(1000 + index * 37).slice(-4)}`,
        email: `${first}.${last}.${index}@example.com`
          .toLowerCase()
          .normalize("NFD")
          .replaceAll(/[^\w.@]/g, ""),
        city,
        timeZone,
        language: pick(chance(), LANGUAGES_SPOKEN),
        joinedAgoMs: Math.round((3 + chance() * 60) * DAY_MS),
        // Cities differ in what their drivers wait for.
        state: place < STATES.length - region ? (STATES[place + (region % 2)] ?? "polling") : "polling",
      };
    });
  },
);

/** An id as the user pool makes them, from a name. */
export function uuidOf(name: string): string {
  const hex = `${digest(name)}${digest(`${name} again`)}`;
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join("-");
}
