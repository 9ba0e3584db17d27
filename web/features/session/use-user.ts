import { useSuspenseQuery } from "@tanstack/react-query";
import type { User } from "../../../worker/contract/account/user.ts";
import { userQuery } from "../../api/queries/user.ts";
import { MissingRecordError } from "./driver-guard.ts";

/** The driver's record. Only for screens behind the guard, where there always is one. */
export function useUser(): User {
  const user = useSuspenseQuery(userQuery).data;
  if (!user) throw new MissingRecordError();
  return user;
}
