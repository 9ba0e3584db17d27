import {
  focusManager,
  useQueryClient,
  useQueryErrorResetBoundary,
  type QueryClient,
} from "@tanstack/react-query";
import { useRouter, CatchBoundary } from "@tanstack/react-router";
import { WifiOff, type LucideIcon } from "lucide-react";
import { useEffect, useEffectEvent, useState, Suspense, type ReactNode } from "react";
import { errorRequestId } from "../../api/client/request-error.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { OfflinePanel, Pending } from "../../ui/pending.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { useOnline } from "../../ui/use-online.ts";
import { errorText } from "../language/error-messages.ts";
import { ScreenError, ErrorReference } from "./screen-error.tsx";

/** The props that an error boundary passes to its fallback. */
export type CaughtError = { error: unknown; reset: () => void };

type Panel = {
  title: string;
  /** The failure and the next step; defaults to the error's own message. */
  children?: ReactNode;
  Icon?: LucideIcon;
  heading?: "h1" | "p";
  /** Only a part of the screen failed, so its button isn't the primary one. */
  isPart?: boolean;
};

/**
 * In place of a screen, or a part of one, whose data couldn't be loaded. An error that isn't a query's is a crash, and is
 * shown as one.
 */
export function LoadError({ error, reset, ...panel }: CaughtError & Panel) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const queryErrors = useQueryErrorResetBoundary();
  // As it was caught: another part that asks again clears the query's error.
  const [isLoad] = useState(() => isQueryError(queryClient, error));
  if (!isLoad) return <ScreenError error={error} reset={reset} isPart />;
  const retry = () => {
    queryErrors.reset();
    // A part that mounts again would show what has just failed.
    void queryClient.resetQueries({ predicate: ({ state }) => state.status === "error" });
    reset();
    void router.invalidate();
  };
  return (
    <LoadErrorPanel onRetry={retry} requestId={errorRequestId(error)} {...panel}>
      {panel.children ?? errorText(error)}
    </LoadErrorPanel>
  );
}

/** A message for a failed load, with a retry. It also retries when the page regains focus or the connection. */
export function LoadErrorPanel({
  onRetry,
  title,
  children,
  Icon = WifiOff,
  heading = "p",
  requestId = null,
  isPart = false,
}: Panel & { onRetry: () => void; requestId?: string | null }) {
  const isOnline = useOnline();
  useOnReturn(onRetry);
  if (!isOnline) return <OfflinePanel />;
  const actions = (
    <>
      <Button variant={isPart ? "plain" : "primary"} onClick={onRetry}>
        {m.try_again()}
      </Button>
      {requestId && <ErrorReference id={requestId} className="basis-full justify-center" />}
    </>
  );
  return (
    <StatusPanel Icon={Icon} role="alert" heading={heading} title={title} actions={actions}>
      {children}
    </StatusPanel>
  );
}

function isQueryError(queryClient: QueryClient, error: unknown): boolean {
  return queryClient
    .getQueryCache()
    .getAll()
    .some(({ state }) => state.error === error);
}

/** Queries refetch on focus and reconnect only while a component observes them, which none does behind an error. */
function useOnReturn(callback: () => void): void {
  const onReturn = useEffectEvent(callback);
  useEffect(() => {
    const onOnline = () => onReturn();
    window.addEventListener("online", onOnline);
    const unsubscribe = focusManager.subscribe((isFocused) => {
      if (isFocused) onReturn();
    });
    return () => {
      window.removeEventListener("online", onOnline);
      unsubscribe();
    };
  }, []);
}

/** Around a part of a screen that loads and fails independently of the rest. */
export function LoadBoundary({
  skeleton,
  errorComponent,
  resetKey,
  children,
}: {
  skeleton: ReactNode;
  errorComponent: (caught: CaughtError) => ReactNode;
  /** Another one tries again. */
  resetKey?: unknown;
  children: ReactNode;
}) {
  return (
    <CatchBoundary getResetKey={() => resetKey} errorComponent={errorComponent}>
      <Suspense fallback={<Pending>{skeleton}</Pending>}>{children}</Suspense>
    </CatchBoundary>
  );
}
