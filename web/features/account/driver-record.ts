import type { QueryClient } from "@tanstack/react-query";
import { cacheResponse } from "../../api/client/query-client.ts";
import { createdUserResponse } from "../../../worker/contract/account/user.ts";
import { api, fetchConfig } from "../../api/client/client.ts";
import { parseResponse } from "../../api/client/request.ts";
import { browserHeaders } from "../../api/device/browser-id.ts";
import { setupQuery } from "../../api/queries/setup.ts";
import { userQuery } from "../../api/queries/user.ts";
import { chatQuery } from "../chat/chat-query.ts";
import { DEVICE_TIME_ZONE } from "../language/format.ts";
import { forgetInviter, loadInviter } from "./inviter.ts";
import { clearReferral, loadReferral } from "./referral.ts";

/** Creates the record of a driver who is signed in, and caches it. A record that exists is left as it is. */
export async function createDriverRecord(
  queryClient: QueryClient,
  { name, phone }: { name: string; phone: string },
): Promise<void> {
  const { productName } = await fetchConfig();
  const json = {
    name,
    phoneNumber: phone,
    referral: loadReferral(phone) ?? loadInviter() ?? productName.toLowerCase(),
    humanTimezone: DEVICE_TIME_ZONE,
  };
  const response = await api.flex.v1.user.$put({ json }, { headers: browserHeaders() });
  const { Item: user, setup } = await parseResponse(createdUserResponse, response);
  cacheResponse(queryClient, userQuery, user);
  // Saves the next screen a request.
  if (setup) queryClient.setQueryData(setupQuery.queryKey, setup);
  // Asked for as soon as somebody is signed in, it was offered to nobody yet.
  void queryClient.invalidateQueries({ queryKey: chatQuery.queryKey });
  clearReferral();
  forgetInviter();
}
