import { queryOptions } from "@tanstack/react-query";
import {
  calendarAddressResponse,
  calendarResponse,
  type CalendarAddressResponse,
} from "../../../worker/contract/account/calendar.ts";
import { api } from "../client/client.ts";
import { parseResponse, requireOk } from "../client/request.ts";
import { noteCalendar } from "../device/calendar.ts";

/** The driver's calendar address, without the address itself; null if there is none. */
export const calendarQuery = queryOptions({
  queryKey: ["calendar"],
  queryFn: async () => (await parseResponse(calendarResponse, await api.flex.v1.calendar.$get())).calendar,
  refetchOnMount: "always",
});

/** POST /flex/v1/calendar: a new address. One from before stops working. */
export async function makeCalendar({ withPay }: { withPay: boolean }): Promise<CalendarAddressResponse> {
  const response = await api.flex.v1.calendar.$post({ json: { withPay } });
  const made = await parseResponse(calendarAddressResponse, response);
  noteCalendar(made.calendar);
  return made;
}

/** GET /flex/v1/calendar/address. */
export async function fetchCalendarAddress(): Promise<string> {
  const response = await api.flex.v1.calendar.address.$get();
  return (await parseResponse(calendarAddressResponse, response)).address;
}

/** PATCH /flex/v1/calendar. */
export async function setCalendarPay(withPay: boolean) {
  const response = await api.flex.v1.calendar.$patch({ json: { withPay } });
  return (await parseResponse(calendarResponse, response)).calendar;
}

/** PUT /flex/v1/calendar/session: the current sign-in answers for the address from now on. */
export async function resumeCalendar(feedId: string) {
  const response = await api.flex.v1.calendar.session.$put({ json: { feedId } });
  const { calendar } = await parseResponse(calendarResponse, response);
  if (calendar) noteCalendar(calendar);
  return calendar;
}

/** DELETE /flex/v1/calendar. */
export async function removeCalendar(): Promise<null> {
  await requireOk(await api.flex.v1.calendar.$delete());
  return null;
}
