import { queryOptions } from "@tanstack/react-query";
import {
  passkey,
  passkeyOffer,
  passkeysResponse,
  type Passkey,
} from "../../../worker/contract/account/passkeys.ts";
import { api } from "../client/client.ts";
import type { ApiResponse } from "../client/request-error.ts";
import { parseResponse, requireOk } from "../client/request.ts";
import { undoOnce } from "../client/undo-once.ts";
import { createPasskey } from "../session/passkey.ts";

/** The driver's passkeys. */
export const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: async () => parseResponse(passkeysResponse, await api.flex.v1.passkeys.$get()),
  refetchOnMount: "always",
});

/**
 * Adds a passkey, which the browser creates from the server's offer.
 * @throws {AuthError} `PasskeyCanceled` or `PasskeyKnown`
 */
export async function addPasskey(name: string): Promise<Passkey> {
  const { options, ticket } = await parseResponse(passkeyOffer, await api.flex.v1.passkeys.offer.$post());
  const { id, rawId, response } = await createPasskey(options);
  const { clientDataJSON, attestationObject, transports = [] } = response;
  const credential = {
    id,
    rawId,
    type: "public-key" as const,
    response: { clientDataJSON, attestationObject, transports },
  };
  return parseResponse(passkey, await api.flex.v1.passkeys.$post({ json: { ticket, name, credential } }));
}

/** PATCH /flex/v1/passkeys/{id}. */
export async function renamePasskey(id: string, name: string): Promise<void> {
  await requireOk(await api.flex.v1.passkeys[":id"].$patch({ param: { id }, json: { name } }));
}

/** DELETE /flex/v1/passkeys/{id}. One that is gone already is no error. */
export async function removePasskey(id: string): Promise<void> {
  const response: ApiResponse = await api.flex.v1.passkeys[":id"].$delete({ param: { id } });
  if (response.status !== 404) await requireOk(response);
}

/** POST /flex/v1/passkeys/undo-recovery: undoes a password that a texted code set. @param mayBeDone like `undoChange` */
export function undoRecovery(mayBeDone: boolean): Promise<void> {
  return undoOnce(() => api.flex.v1.passkeys["undo-recovery"].$post(), mayBeDone);
}
