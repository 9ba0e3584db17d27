import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useProductName } from "../../api/queries/use-config.ts";
import { LoadBoundary } from "../errors/load-boundary.tsx";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";
import { ArrivalBlock } from "./arrival-block.tsx";
import { ArrivalStatusCard } from "./arrival-status-card.tsx";
import { useArrival } from "./use-arrival.ts";

/**
 * Checks in, inside a frame or as a page of its own. The token is read once and dropped from the URL: a reload
 * uses the session instead.
 */
export function ArrivedScreen({ token: initialToken, instant }: { token: string | null; instant: boolean }) {
  const [token] = useState(initialToken);
  const navigate = useNavigate();
  useEffect(() => {
    if (initialToken === null) return;
    void navigate({ to: "/arrived", search: instant ? { instant: 1 } : {}, replace: true });
  }, [initialToken, instant, navigate]);
  const isTopLevel = window.top === window;
  return (
    <main
      id="content"
      data-framed={isTopLevel ? undefined : ""}
      aria-labelledby="arrival-title"
      className="mx-auto grid max-w-md gap-4 p-5"
    >
      <h1 id="arrival-title" className={isTopLevel ? "text-2xl" : "sr-only"}>
        {m.arrival_title()}
      </h1>
      <LoadBoundary skeleton={<ArrivalSkeleton />} errorComponent={ArrivalError}>
        <Arrival token={token} instant={instant} />
      </LoadBoundary>
      {isTopLevel && (
        <Link to="/flex/dashboard" className={buttonClass("quiet")}>
          {m.nav_home()}
        </Link>
      )}
    </main>
  );
}

function Arrival({ token, instant }: { token: string | null; instant: boolean }) {
  const { next, position, status, now, tryNow } = useArrival(token, { instant });
  return (
    <>
      {next.block && <ArrivalBlock block={next.block} warehouse={next.warehouse} now={now} />}
      <ArrivalStatusCard
        status={status}
        instant={instant}
        timeZone={next.warehouse?.timeZone}
        now={now}
        accuracyMeters={position.kind === "fix" ? position.fix.accuracyMeters : null}
        onRetry={tryNow}
      />
    </>
  );
}

function ArrivalSkeleton() {
  return (
    <output className="grid gap-4">
      <span className="sr-only">{m.arrival_loading()}</span>
      <Skeleton className="h-16" />
      <Skeleton className="h-40" />
    </output>
  );
}

function ArrivalError(caught: CaughtError) {
  const product = useProductName();
  if (errorCodeOf(caught.error) === "unauthenticated") {
    return <FormError title={m.arrival_over()} hint={m.arrival_over_text({ product })} />;
  }
  return <LoadError {...caught} title={m.arrival_failed()} />;
}
