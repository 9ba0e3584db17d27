import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { errorRequestId } from "../../api/request-error.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { OfflinePanel } from "../../ui/pending.tsx";
import { ErrorReference } from "./error-reference.tsx";

/** In place of a screen that crashed; the shell around it stays. `reset` renders the screen again. */
export function ScreenError({ error, reset }: { error: unknown; reset: () => void }) {
  const [isOffline] = useState(() => !navigator.onLine);
  return isOffline ? <ScreenOffline /> : <ScreenCrash error={error} reset={reset} />;
}

/** A screen that fails offline is missing its code. Only a reload retries a failed import in every browser. */
function ScreenOffline() {
  useEffect(() => {
    const reload = () => location.reload();
    window.addEventListener("online", reload);
    return () => window.removeEventListener("online", reload);
  }, []);
  return <OfflinePanel heading="h1" />;
}

function ScreenCrash({ error, reset }: { error: unknown; reset: () => void }) {
  const requestId = errorRequestId(error);
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <div role="alert" className="mx-auto grid max-w-xl gap-3 px-4 py-12">
      <h1 className="text-2xl">{m.crash_title()}</h1>
      <p className="text-soft">{m.crash_text()}</p>
      <p className="text-soft">{m.crash_kept()}</p>
      <div className="mt-2 flex flex-wrap gap-3">
        <Button variant="primary" onClick={retry}>
          {m.crash_try_again()}
        </Button>
        <Button onClick={() => location.reload()}>{m.crash_reload()}</Button>
      </div>
      <p className="text-sm text-soft">{m.crash_note()}</p>
      {requestId && <ErrorReference id={requestId} />}
    </div>
  );
}
