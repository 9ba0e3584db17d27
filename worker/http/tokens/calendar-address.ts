import * as z from "zod";
import { driverId, type DriverId } from "../../../db/shapes/units.ts";
import type { Keys } from "../../../durable/runtime/keys.ts";
import { readSignedIds, signIds } from "../../identity/signed-ids.ts";

/** A calendar address is the driver's and of one making: whoever has it reads their blocks, until it is renewed. */
export type CalendarAddress = { driverId: DriverId; feedId: string };

const USE = "calendar";
const ids = z.tuple([driverId, z.uuid()]);

/** The name of the file at the address. @returns null for ids of another form, as of another user pool */
export async function calendarFileName(keys: Keys, address: CalendarAddress): Promise<string | null> {
  const token = await signIds(keys, USE, [address.driverId, address.feedId]);
  return token === null ? null : `${token}.ics`;
}

/** Null if it is none of ours. */
export async function readCalendarFileName(keys: Keys, name: string): Promise<CalendarAddress | null> {
  const token = name.replace(/\.ics$/, "");
  const read = ids.safeParse(await readSignedIds(keys, USE, { token, count: 2 }));
  return read.success ? { driverId: read.data[0], feedId: read.data[1] } : null;
}
