import { api } from "../client/client.ts";
import { requireOk, parseResponse } from "../client/request.ts";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { securityResponse, sessionsResponse } from "../../../worker/contract/account/security.ts";
import type { ApiResponse } from "../client/request-error.ts";
import { userResponse, type User } from "../../../worker/contract/account/user.ts";

/** Events of the driver's account, the latest first, page by page. */
export const securityEventsQuery = infiniteQueryOptions({
  queryKey: ["security"],
  queryFn: async ({ pageParam }) => {
    const query = pageParam === null ? {} : { cursor: pageParam };
    return parseResponse(securityResponse, await api.flex.v1.security.$get({ query }));
  },
  initialPageParam: firstCursor(),
  getNextPageParam: ({ cursor }) => cursor,
  refetchOnMount: "always",
});

/** Where the driver is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: async () => (await parseResponse(sessionsResponse, await api.flex.v1.sessions.$get())).sessions,
  refetchOnMount: "always",
});

/** DELETE /flex/v1/setup: unlinks the delivery platform's account. */
export async function unlinkPlatform(): Promise<void> {
  await requireOk(await api.flex.v1.setup.$delete());
}

/** DELETE /flex/v1/user: deletes the driver's data, except what accounting needs. Safe to repeat after an interruption. */
export async function deleteDriverData(): Promise<void> {
  await requireOk(await api.flex.v1.user.$delete());
}

/**
 * GET /flex/v1/user/export: the file and its name.
 * @throws {SyntaxError} if the download was cut off
 */
export async function fetchExport(): Promise<{ name: string; text: string }> {
  const response = await api.flex.v1.user.export.$get();
  await requireOk(response);
  const text = await response.text();
  JSON.parse(text);
  const disposition = response.headers.get("content-disposition") ?? "";
  return { name: /filename="([^"]+)"/.exec(disposition)?.[1] ?? "export.json", text };
}

/** The first page has none. */
function firstCursor(): string | null {
  return null;
}

/** DELETE /flex/v1/sessions/{id}. One that has ended already is no error. */
export async function endSession(id: string): Promise<void> {
  const response: ApiResponse = await api.flex.v1.sessions[":id"].$delete({ param: { id } });
  if (response.status !== 404) await requireOk(response);
}

/** DELETE /flex/v1/sessions: ends every session but this one. */
export async function endOtherSessions(): Promise<void> {
  await requireOk(await api.flex.v1.sessions.$delete());
}

/** POST /flex/v1/user/preferred-phone/code: texts a code to the preferred number. */
export async function requestPreferredPhoneCode(): Promise<void> {
  await requireOk(await api.flex.v1.user["preferred-phone"].code.$post());
}

/** POST /flex/v1/user/preferred-phone/verify. */
export async function verifyPreferredPhone(code: string): Promise<User> {
  const response = await api.flex.v1.user["preferred-phone"].verify.$post({ json: { code } });
  return (await parseResponse(userResponse, response)).Item;
}
