import type { QueryClient } from "@tanstack/react-query";
import { readDeployment } from "../../api/client.ts";
import { createUser, userQuery } from "../../api/queries.ts";
import { forgetReferral, readReferral } from "./referral.ts";

const DEFAULT_ZONE = "America/New_York";

/** Makes the record of a driver who is signed in; the page knows it from then on. One that is there stays. */
export async function makeRecord(
  queryClient: QueryClient,
  { name, phone }: { name: string; phone: string },
): Promise<void> {
  const { productName } = await readDeployment();
  const user = await createUser({
    name,
    phoneNumber: phone,
    referral: readReferral(phone) ?? productName.toLowerCase(),
    humanTimezone: new Intl.DateTimeFormat().resolvedOptions().timeZone || DEFAULT_ZONE,
  });
  queryClient.setQueryData(userQuery.queryKey, user);
  forgetReferral();
}
