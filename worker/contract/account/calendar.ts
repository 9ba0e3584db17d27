import * as z from "zod/mini";
import { epochMs } from "../../../db/shapes/units.ts";
import type { ApiRoute } from "../api-route.ts";

/** A driver's calendar address without the address itself. */
export const calendarSummary = z.object({
  feedId: z.string(),
  createdAt: epochMs,
  /** Whether the entries say what a block pays. */
  withPay: z.boolean(),
  /** The sign-in that made it has ended: calendars show one line that says so. */
  isPaused: z.boolean(),
});
export type CalendarSummary = z.infer<typeof calendarSummary>;

/** GET, PATCH and DELETE /flex/v1/calendar; null where there is no address. */
export const calendarResponse = z.object({ calendar: z.nullable(calendarSummary) });
export type CalendarResponse = z.infer<typeof calendarResponse>;

/** POST /flex/v1/calendar and GET /flex/v1/calendar/address. The address opens the driver's blocks to anybody. */
export const calendarAddressResponse = z.object({ calendar: calendarSummary, address: z.url() });
export type CalendarAddressResponse = z.infer<typeof calendarAddressResponse>;

/** POST and PATCH /flex/v1/calendar. */
export const calendarInput = z.object({ withPay: z.boolean() });

/** PUT /flex/v1/calendar/session: the address that this sign-in answers for from now on. */
export const calendarSessionInput = z.object({ feedId: z.uuid() });

/** GET /flex/v1/calendar/feed/{file}: the name ends the address, and is its secret. */
export const calendarFileParams = z.object({ file: z.string().check(z.maxLength(200)) });

/** The driver's blocks in a calendar of theirs. */
export const CALENDAR_ROUTES = {
  "GET /flex/v1/calendar": {
    summary: "Whether the driver has a calendar address, without the address.",
    auth: "bearer",
    responses: { 200: calendarResponse },
    errors: ["not_found"],
  },
  "POST /flex/v1/calendar": {
    summary:
      "Makes a calendar address; one from before stops working. Needs a sign-in of the last minutes, and pauses when that sign-in ends.",
    auth: "bearer",
    body: calendarInput,
    responses: { 200: calendarAddressResponse },
    errors: ["not_found", "sign_in_again"],
  },
  "PATCH /flex/v1/calendar": {
    summary: "Sets whether the entries say what a block pays.",
    auth: "bearer",
    body: calendarInput,
    responses: { 200: calendarResponse },
    errors: ["not_found"],
  },
  "DELETE /flex/v1/calendar": {
    summary: "Ends the calendar address.",
    auth: "bearer",
    responses: { 204: null },
    errors: ["not_found"],
  },
  "GET /flex/v1/calendar/address": {
    summary: "The calendar address. Needs a sign-in of the last minutes.",
    auth: "bearer",
    responses: { 200: calendarAddressResponse },
    errors: ["not_found", "sign_in_again"],
  },
  "PUT /flex/v1/calendar/session": {
    summary: "Lets this sign-in answer for the calendar address. Needs a sign-in of the last minutes.",
    auth: "bearer",
    body: calendarSessionInput,
    responses: { 200: calendarResponse },
    errors: ["not_found", "sign_in_again"],
  },
  "GET /flex/v1/calendar/feed/{file}": {
    summary:
      "The blocks that the driver holds, and those of the last year, as an iCalendar file (RFC 5545) for calendar programs.",
    auth: "calendar_address",
    params: calendarFileParams,
    responses: { 200: "text/calendar", 304: null },
    errors: ["not_found"],
  },
} as const satisfies Record<string, ApiRoute>;
