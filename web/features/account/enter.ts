import type { QueryClient } from "@tanstack/react-query";
import { signIn } from "../../api/auth.ts";
import { userQuery } from "../../api/queries.ts";
import { readName, sessionStore } from "../../api/session.ts";
import { changeAccount, type Credentials } from "./account-store.ts";
import { makeRecord } from "./record.ts";

/** Signs in and sees to it that the driver has a record, before the page goes on to it. */
export async function enter(queryClient: QueryClient, credentials: Credentials): Promise<void> {
  changeAccount({ isEntering: true });
  try {
    await signIn(credentials.phone, credentials.password);
    // A record that can't be made now is missed by the gate of the next screen, which offers to make it.
    await ensureRecord(queryClient, credentials).catch(() => undefined);
    changeAccount({ unconfirmed: null, name: "", notice: null });
  } finally {
    changeAccount({ isEntering: false });
  }
}

/** Makes the record where there is none: registration may have ended before its last step. */
async function ensureRecord(queryClient: QueryClient, { phone, name }: Credentials): Promise<void> {
  const known = name ?? (await nameWithoutRecord(queryClient));
  if (known) await makeRecord(queryClient, { name: known, phone });
}

/** The name in the token of somebody who has no record; null where there is one. */
async function nameWithoutRecord(queryClient: QueryClient): Promise<string | null> {
  const user = await queryClient.fetchQuery({ ...userQuery, staleTime: 0 });
  const session = sessionStore.get();
  return user === null && session ? readName(session) : null;
}
