import { useRouter } from "@tanstack/react-router";
import { WifiOff } from "lucide-react";
import { lazy, Suspense, useEffect, type ReactNode } from "react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { LoadingOverlay } from "../frame/loading-overlay.tsx";
import { useAuthState } from "./auth-state.ts";

const NoRecord = lazy(async () => ({ default: (await import("./no-record.tsx")).NoRecord }));

/** Shows its content to a driver who is signed in and known, and says to everybody else why not. */
export function SessionGate({ children }: { children: ReactNode }) {
  const { authUser, isAuthenticated, isLoading, error, retry } = useAuthState();
  if (isAuthenticated) return children;
  if (isLoading) return <LoadingOverlay />;
  if (error) {
    const title = error.code === "UserNotFetched" ? m.start_user_failed() : m.start_status_failed();
    return <StartFailed title={title} onAgain={retry} />;
  }
  if (!authUser) return <SignedOut />;
  return (
    <Suspense fallback={<LoadingOverlay />}>
      <NoRecord authUser={authUser} />
    </Suspense>
  );
}

/** Goes to where one enters, and from there back to here. */
function SignedOut() {
  const router = useRouter();
  useEffect(() => {
    // Read once: on its way the location is already the next one.
    const back = router.latestLocation.href;
    void router.navigate({ to: "/login", search: { back }, replace: true });
  }, [router]);
  return null;
}

function StartFailed({ title, onAgain }: { title: string; onAgain: () => void }) {
  const action = (
    <Button look="primary" onClick={onAgain}>
      {m.try_again()}
    </Button>
  );
  return (
    <Notice Icon={WifiOff} heading="h1" role="alert" title={title} actions={action}>
      {m.start_failed_text()}
    </Notice>
  );
}
