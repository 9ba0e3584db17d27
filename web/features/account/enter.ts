import type { QueryClient } from "@tanstack/react-query";
import { signIn } from "../../api/auth.ts";
import { readDeployment } from "../../api/client.ts";
import { codeOf } from "../../api/problem.ts";
import { createUser, userQuery } from "../../api/queries.ts";
import { sessionStore } from "../../api/session.ts";
import { changeAccount, type Credentials } from "./account-store.ts";

const DEFAULT_ZONE = "America/New_York";

/** Signs in and sees to it that the driver has a record, before the page goes on to it. */
export async function enter(queryClient: QueryClient, credentials: Credentials): Promise<void> {
  changeAccount({ isEntering: true });
  try {
    await signIn(credentials.phone, credentials.password);
    // A record that can't be made now is missed, and named, by the gate of the next screen.
    await ensureRecord(queryClient, credentials).catch(() => undefined);
    changeAccount({ unconfirmed: null, name: "", notice: null });
  } finally {
    changeAccount({ isEntering: false });
  }
}

/** Makes the record where there is none: registration may have ended before its last step. */
async function ensureRecord(queryClient: QueryClient, credentials: Credentials): Promise<void> {
  const name = credentials.profile?.name ?? (await nameWithoutRecord(queryClient));
  if (!name) return;
  const { productName } = await readDeployment();
  const user = await createUser({
    name,
    phoneNumber: credentials.phone,
    referral: credentials.profile?.referral ?? productName.toLowerCase(),
    humanTimezone: new Intl.DateTimeFormat().resolvedOptions().timeZone || DEFAULT_ZONE,
  });
  queryClient.setQueryData(userQuery.queryKey, user);
}

/** The name in the token of somebody who has no record; null where there is one. */
async function nameWithoutRecord(queryClient: QueryClient): Promise<string | null> {
  try {
    await queryClient.fetchQuery({ ...userQuery, staleTime: 0 });
    return null;
  } catch (error) {
    if (codeOf(error) !== "not_found") throw error;
    return sessionStore.get()?.name ?? null;
  }
}
