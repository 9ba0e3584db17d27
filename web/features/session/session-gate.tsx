import { useRouter } from "@tanstack/react-router";
import { WifiOff } from "lucide-react";
import { lazy, Suspense, useEffect, type ReactNode } from "react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { LoadingOverlay } from "../../ui/loading-overlay.tsx";
import { useAuthState } from "./auth-state.ts";

const MissingRecord = lazy(async () => ({ default: (await import("./missing-record.tsx")).MissingRecord }));

/** Shows its content to a driver who is signed in and known, and says to everybody else why not. */
export function SessionGate({ children }: { children: ReactNode }) {
  const { authUser, isAuthenticated, isLoading, error, retry } = useAuthState();
  if (isAuthenticated) return children;
  if (isLoading) return <LoadingOverlay />;
  if (error) {
    const title = error.code === "UserNotFetched" ? m.start_user_failed() : m.start_status_failed();
    return <StartFailed title={title} onRetry={retry} />;
  }
  if (!authUser) return <SignedOut />;
  return (
    <Suspense fallback={<LoadingOverlay />}>
      <MissingRecord authUser={authUser} />
    </Suspense>
  );
}

/** Goes to where one enters, and from there back to here. */
function SignedOut() {
  const router = useRouter();
  useEffect(() => {
    // Read once: on its way the location is already the next one.
    const returnPath = router.latestLocation.href;
    void router.navigate({ to: "/login", search: { back: returnPath }, replace: true });
  }, [router]);
  return null;
}

function StartFailed({ title, onRetry }: { title: string; onRetry: () => void }) {
  const action = (
    <Button variant="primary" onClick={onRetry}>
      {m.try_again()}
    </Button>
  );
  return (
    <StatusPanel Icon={WifiOff} heading="h1" role="alert" title={title} actions={action}>
      {m.start_failed_text()}
    </StatusPanel>
  );
}
