import { useMatches, useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { atOwnPace } from "../../api/client/full-jitter.ts";
import { errorRequestId } from "../../api/client/request-error.ts";
import { HEALTH_PATH } from "../../api/client/request.ts";
import { isOldBrowser } from "../../early/page-root.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { OfflinePanel } from "../../ui/pending.tsx";
import { hasReloadedFor, isMissingChunk } from "./missing-chunk.ts";

const CHECK_EVERY_MS = 5_000;

/**
 * In place of a screen, or with `isPart` of a part of one, that crashed; the shell around it stays. `reset` renders it
 * again.
 */
export function ScreenError({
  error,
  reset,
  isPart = false,
}: {
  error: unknown;
  reset: () => void;
  isPart?: boolean;
}) {
  const [isUnreachable, setUnreachable] = useState(() => !navigator.onLine || isMissingChunk(error));
  // A driver's screens stand in the frame's; any other brings its own.
  const hasMain = useMatches({ select: (matches) => matches.some(({ routeId }) => routeId === "/flex") });
  const showCrash = () => {
    // A deployment took the screen's code away while it was only preloaded, as under a pointer.
    if (!isPart && isMissingChunk(error) && !hasReloadedFor(error.message)) location.reload();
    else setUnreachable(false);
  };
  const content = isUnreachable ? (
    <ScreenOffline onReachable={showCrash} />
  ) : (
    <ScreenCrash error={error} reset={reset} />
  );
  return isPart || hasMain ? (
    content
  ) : (
    <main id="content" tabIndex={-1} className="outline-none">
      {content}
    </main>
  );
}

/**
 * A screen that fails offline is missing its code. Only a reload retries a failed import in every browser. A device may
 * believe that it has a network, or not notice that it has one again: so the server is asked. Where it answers from the start,
 * something else is wrong.
 */
function ScreenOffline({ onReachable }: { onReachable: () => void }) {
  const noteReachable = useEffectEvent(onReachable);
  useEffect(() => {
    let wasUnreachable = !navigator.onLine;
    const check = async () => {
      const response = await fetch(HEALTH_PATH, { cache: "no-store" }).catch(() => null);
      if (!response) wasUnreachable = true;
      else if (wasUnreachable) location.reload();
      else noteReachable();
    };
    const reload = () => location.reload();
    if (!wasUnreachable) void check();
    const timer = setInterval(() => void check(), atOwnPace(CHECK_EVERY_MS));
    window.addEventListener("online", reload);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", reload);
    };
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
      <p className="text-sm text-soft">{isOldBrowser() ? m.browser_old() : m.crash_note()}</p>
      {requestId && <ErrorReference id={requestId} />}
    </div>
  );
}

/** The key by which support finds an error in the log: to read out, to select with a tap, or to copy. */
export function ErrorReference({ id, className = "" }: { id: string; className?: string }) {
  const [isCopied, setCopied] = useState(false);
  // Missing outside of secure contexts; there the code can be selected.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  const copy = () => {
    void clipboard?.writeText(id).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <div className={`flex flex-wrap items-center gap-x-3 text-sm ${className}`}>
      <p className="select-all tabular-nums">{m.error_reference({ id })}</p>
      {clipboard && (
        <Button variant="quiet" className="px-0! text-sm!" onClick={copy}>
          {m.error_reference_copy()}
        </Button>
      )}
      <output>{isCopied && m.error_reference_copied()}</output>
    </div>
  );
}
