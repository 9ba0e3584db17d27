import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { useEffect, useRef } from "react";
import * as z from "zod/mini";
import { unchanged } from "../../../db/shapes/versioned.ts";
import { userQuery } from "../../api/queries/user.ts";
import { sessionStore } from "../../api/session/session.ts";
import { createStored } from "../../api/cache/storage.ts";
import { isSettingUp, LAST_SCREEN, shownStep, startStepOf, type StartStep } from "./start-step.ts";

export const storedStart = {
  key: "jornada.start",
  shape: z.object({ username: z.string() }),
  upcasts: [unchanged],
};
/** The driver who is setting up in this tab, until they have turned it on. */
const starting = createStored({ area: () => sessionStorage, ...storedStart });

/** Whether a driver is setting up in this tab. */
export function isStartingHere(username: string | undefined): boolean {
  return username !== undefined && starting.load()?.username === username;
}

/** The signed-in driver's step as the present screen shows it, and whether it is done; null where there is none to show. */
export function useStartStep(): { step: StartStep; isDone: boolean } | null {
  const username = useSelector(sessionStore)?.username;
  // Others fetch it; this only reads it.
  const user = useQuery({ ...userQuery, enabled: false }).data;
  const pathname = useLocation({ select: (location) => location.pathname });
  const isStarting = isStartingHere(username);
  const step = username !== undefined && user ? startStepOf(user, { isStarting }) : null;
  const isDone = step === "on" && user?.userDisabled === 0;
  const hasShownDone = useRef(false);
  useEffect(() => {
    if (username !== undefined && isSettingUp(step)) starting.save({ username });
    // It stays until the last screen is left, so that nothing moves once the driver has turned it on, there or on the way.
    if (pathname !== LAST_SCREEN && hasShownDone.current) starting.remove();
    if (pathname === LAST_SCREEN && isDone) hasShownDone.current = true;
  }, [username, step, isDone, pathname]);
  const shown = shownStep(pathname, { step, isStarting });
  return shown && { step: shown, isDone };
}
