import * as z from "zod/mini";
import { unchanged } from "../../../db/shapes/versioned.ts";
import { calendarResponse, type CalendarSummary } from "../../../worker/contract/account/calendar.ts";
import { api } from "../client/client.ts";
import { parseResponse } from "../client/request.ts";
import { createStored } from "../cache/storage.ts";
import { currentSession, sessionStore } from "../session/session.ts";

/** The calendar address that this browser made, its driver, and the sign-in that answers for it. */
export const storedCalendar = {
  key: "jornada.calendar",
  shape: z.object({ driver: z.string(), feedId: z.string(), session: z.nullable(z.string()) }),
  upcasts: [unchanged],
};
const made = createStored(storedCalendar);

/** Remembers that the current sign-in answers for an address. */
export function noteCalendar({ feedId }: CalendarSummary): void {
  const driver = sessionStore.get()?.username;
  if (driver) made.save({ driver, feedId, session: currentSession() });
}

/**
 * After a sign-in of the same driver in the browser that made the address, lets the new one answer for it, so that entering the
 * password again doesn't pause a calendar.
 * @throws {RequestError} if the server can't be reached, or wants a sign-in of the last minutes
 */
export async function refreshCalendarSession(): Promise<void> {
  const stored = made.load();
  if (!stored || stored.driver !== sessionStore.get()?.username || stored.session === currentSession())
    return;
  const response = await api.flex.v1.calendar.session.$put({ json: { feedId: stored.feedId } });
  const { calendar } = await parseResponse(calendarResponse, response);
  if (calendar?.feedId === stored.feedId) noteCalendar(calendar);
  else made.remove();
}
