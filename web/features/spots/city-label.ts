import { OTHER_CITY } from "../../../db/shapes/money/spots.ts";
import { m } from "../../messages/messages.js";

/** A city's name as the platform has it; where it has none, words for it. */
export function cityLabel(city: string): string {
  return city === OTHER_CITY ? m.city_other() : city;
}
