import { api } from "../client/client.ts";
import { requireOk } from "../client/request.ts";

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
