import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { UserX, WifiOff } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { configQuery, userQuery } from "../../api/queries.ts";
import { sessionStore } from "../../api/session.ts";
import { codeOf } from "../../api/problem.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { openSheet } from "../frame/frame-store.ts";
import { LoadingOverlay } from "../frame/loading-overlay.tsx";

/** Shows its content to a driver who is signed in and known, and says to everybody else why not. */
export function SessionGate({ children }: { children: ReactNode }) {
  const config = useQuery(configQuery);
  const session = useSelector(sessionStore);
  const user = useQuery({ ...userQuery, enabled: Boolean(session) });

  if (config.isError) return <StartFailed onAgain={() => void config.refetch()} />;
  if (session === null) return <SignedOut />;
  if (user.data) return children;
  if (user.isError && codeOf(user.error) === "not_found") return <NoRecord />;
  if (user.isError) return <StartFailed onAgain={() => void user.refetch()} />;
  return <LoadingOverlay />;
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

function NoRecord() {
  const action = <Button onClick={() => openSheet("support")}>{m.nav_contact()}</Button>;
  return (
    <Notice Icon={UserX} heading="h1" title={m.no_record_title()} actions={action}>
      {m.no_record_text()}
    </Notice>
  );
}

function StartFailed({ onAgain }: { onAgain: () => void }) {
  const action = (
    <Button look="primary" onClick={onAgain}>
      {m.try_again()}
    </Button>
  );
  return (
    <Notice Icon={WifiOff} heading="h1" role="alert" title={m.start_failed_title()} actions={action}>
      {m.start_failed_text()}
    </Notice>
  );
}
