import { userResponse, type User } from "../../../worker/contract/account/user.ts";
import { api } from "../client/client.ts";
import { parseResponse, requireOk } from "../client/request.ts";

/** POST /flex/v1/user/preferred-phone/code: texts a code to the preferred number. */
export async function requestPreferredPhoneCode(): Promise<void> {
  await requireOk(await api.flex.v1.user["preferred-phone"].code.$post());
}

/** POST /flex/v1/user/preferred-phone/verify. */
export async function verifyPreferredPhone(code: string): Promise<User> {
  const response = await api.flex.v1.user["preferred-phone"].verify.$post({ json: { code } });
  return (await parseResponse(userResponse, response)).Item;
}
