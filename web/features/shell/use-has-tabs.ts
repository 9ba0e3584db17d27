import { useSelector } from "@tanstack/react-store";
import { sessionStore } from "../../api/session/session.ts";
import { isSettingUp } from "../start/start-step.ts";
import { useStartStep } from "../start/use-start-step.ts";

/** Whether a driver's screen has its tabs, in the side rail or the bottom bar: not while the driver is setting up. */
export function useHasTabs(): boolean {
  const isSignedIn = Boolean(useSelector(sessionStore));
  const start = useStartStep();
  return isSignedIn && !isSettingUp(start?.step ?? null);
}
