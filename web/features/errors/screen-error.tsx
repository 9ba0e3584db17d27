import { useRouter } from "@tanstack/react-router";
import { errorRequestId } from "../../api/api-error.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { ErrorReference } from "./error-reference.tsx";

/** What stands where a screen broke, with the frame around it as it was. `reset` draws the screen anew. */
export function ScreenError({ error, reset }: { error: unknown; reset: () => void }) {
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
