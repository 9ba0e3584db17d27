import { useRouter } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { useEffect } from "react";
import { prepareAuth } from "../../api/auth.ts";
import { sessionStore } from "../../api/session.ts";
import { accountStore } from "./account-store.ts";

/** Leaves the sign-in screens as soon as somebody is in: back where they came from, or where they are needed. */
export function useLeave(back: string | undefined): void {
  const { history } = useRouter();
  const isSignedIn = Boolean(useSelector(sessionStore));
  const isEntering = useSelector(accountStore, (state) => state.isEntering);
  useEffect(prepareAuth, []);
  useEffect(() => {
    if (isSignedIn && !isEntering) history.replace(back ?? "/flex");
  }, [isSignedIn, isEntering, back, history]);
}
