import { parseApiError } from "./api-error.ts";
import { api, requestAsDriver } from "./client.ts";

/** DELETE /flex/v1/setup: the delivery platform's account is no longer linked. */
export async function unlinkPlatform(): Promise<void> {
  const response = await api.flex.v1.setup.$delete();
  if (!response.ok) throw await parseApiError(response);
}

/** DELETE /flex/v1/user: nothing of the driver stays but the books. May be repeated where it was cut off. */
export async function deleteDriverData(): Promise<void> {
  const response = await api.flex.v1.user.$delete();
  if (!response.ok) throw await parseApiError(response);
}

/**
 * GET /flex/v1/user/export: the file and its name.
 * @throws {SyntaxError} where it broke off on its way
 */
export async function fetchExport(): Promise<{ name: string; text: string }> {
  const response = await requestAsDriver("/flex/v1/user/export");
  if (!response.ok) throw await parseApiError(response);
  const text = await response.text();
  JSON.parse(text);
  const disposition = response.headers.get("content-disposition") ?? "";
  return { name: /filename="([^"]+)"/.exec(disposition)?.[1] ?? "export.json", text };
}
