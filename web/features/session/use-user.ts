import { useSuspenseQuery } from "@tanstack/react-query";
import type { User } from "../../../worker/contract/user.ts";
import { userQuery } from "../../api/queries.ts";
import { MissingRecordError } from "./driver-guard.ts";

/** The driver's record. For the screens behind the guard, which lets nobody past without one. */
export function useUser(): User {
  const user = useSuspenseQuery(userQuery).data;
  if (!user) throw new MissingRecordError();
  return user;
}
