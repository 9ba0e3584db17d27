import { useQueryClient } from "@tanstack/react-query";
import { useMatches, useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { errorRequestId } from "../../api/client/request-error.ts";
import { AuthError } from "../../api/session/auth-error.ts";
import { configQuery, statusQuery, userQuery } from "../../api/queries/user.ts";
import { m } from "../../messages/messages.js";
import { Pending } from "../../ui/pending.tsx";
import { LoadErrorPanel } from "../errors/load-error.tsx";
import { ScreenError } from "../errors/screen-error.tsx";
import { errorText } from "../language/error-messages.ts";
import { useAuthState } from "./auth-state.ts";
import { MissingRecordError, useDriverGuard, useReloadGuardWhen } from "./driver-guard.ts";

const MissingRecord = lazy(async () => ({ default: (await import("./missing-record.tsx")).MissingRecord }));

/** A load faster than this never shows the overlay. */
const DELAY_MS = 250;

/** Renders the signed-in screens while there is a driver to render them for. */
export function DriverGate({ children }: { children: ReactNode }) {
  return useDriverGuard() ? children : <DriverUnknown />;
}

/**
 * While the first screen loads: the overlay until the driver is known, then the screen's own skeleton. The router shows
 * only the outermost fallback, so this one has to stand in for both.
 */
export function DriverGatePending() {
  const { isAuthenticated } = useAuthState();
  const { routesById } = useRouter();
  const screen = useMatches({ select: (matches) => matches[matches.findIndex(isGuarded) + 1]?.routeId });
  const ScreenPending = isAuthenticated && screen ? routesById[screen].options.pendingComponent : undefined;
  return ScreenPending ? <ScreenPending /> : <DriverUnknown />;
}

const isGuarded = ({ routeId }: { routeId: string }) => routeId === "/flex";

function DriverUnknown() {
  return (
    <Pending>
      <LoadingOverlay />
    </Pending>
  );
}

/** Why the guard let nobody through, and what to do. It is asked again as soon as that changes. */
export function DriverGateError({ error, reset }: ErrorComponentProps) {
  const { authUser, isAuthenticated, isLoading, error: authError } = useAuthState();
  const router = useRouter();
  const queryClient = useQueryClient();
  useReloadGuardWhen(isAuthenticated || (!authUser && !isLoading && !authError));
  if (error instanceof MissingRecordError) {
    return (
      <Suspense fallback={<DriverUnknown />}>{authUser && <MissingRecord authUser={authUser} />}</Suspense>
    );
  }
  if (!(error instanceof AuthError)) return <ScreenError error={error} reset={reset} />;
  const isOfUser = error.code === "UserNotFetched";
  const cause = (isOfUser ? [userQuery] : [configQuery, statusQuery])
    .map(({ queryKey }) => queryClient.getQueryState(queryKey)?.error)
    .find(Boolean);
  return (
    <LoadErrorPanel
      heading="h1"
      title={isOfUser ? m.start_user_failed() : m.start_status_failed()}
      requestId={errorRequestId(cause)}
      onRetry={() => void router.invalidate()}
    >
      {errorText(cause)}
    </LoadErrorPanel>
  );
}

/** Covers the whole page while the session or the driver's record is loading. */
function LoadingOverlay() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isSlow) return null;
  return (
    <output className="fixed inset-0 z-50 grid place-content-center justify-items-center gap-4 bg-ground">
      <span aria-hidden className="flex h-2 gap-2">
        {[0, 150, 300].map((delay) => (
          <span
            key={delay}
            className="w-6 animate-[breathe_900ms_ease-in-out_infinite] rounded-full bg-edge"
            style={{ animationDelay: `${delay}ms` }}
          />
        ))}
      </span>
      <p className="font-semibold">{m.loading()}</p>
    </output>
  );
}
