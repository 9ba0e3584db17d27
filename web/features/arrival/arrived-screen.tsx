import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { codeOf } from "../../api/problem.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useProductName } from "../frame/use-config.ts";
import { sayProblem } from "../language/problem-words.ts";
import { ArrivalBlock } from "./arrival-block.tsx";
import { ArrivalStanding } from "./arrival-standing.tsx";
import { useArrival } from "./use-arrival.ts";

/**
 * The frame in which a driver arrives; it stands alone on a screen too. The token is read once and
 * dropped from the address: a reload goes by who is signed in.
 */
export function ArrivedScreen({ token: given, instant }: { token: string | null; instant: boolean }) {
  const [token] = useState(given);
  const navigate = useNavigate();
  useEffect(() => {
    if (given === null) return;
    void navigate({ to: "/arrived", search: instant ? { instant: 1 } : {}, replace: true });
  }, [given, instant, navigate]);
  const isAlone = window.top === window;
  return (
    <main
      id="content"
      data-framed={isAlone ? undefined : ""}
      aria-labelledby="arrival-title"
      className="mx-auto grid max-w-md gap-4 p-5"
    >
      <h1 id="arrival-title" className={isAlone ? "text-2xl" : "sr-only"}>
        {m.arrival_title()}
      </h1>
      <Arrival token={token} instant={instant} />
      {isAlone && (
        <Link to="/flex/dashboard" className={buttonClass("quiet")}>
          {m.nav_home()}
        </Link>
      )}
    </main>
  );
}

function Arrival({ token, instant }: { token: string | null; instant: boolean }) {
  const { query, next, watch, standing, tryNow } = useArrival(token, { instant });
  if (query.isPending) return <Waiting />;
  if (!query.data) return <Unread error={query.error} onAgain={() => void query.refetch()} />;
  return (
    <>
      {next.block && <ArrivalBlock block={next.block} warehouse={next.warehouse} />}
      <ArrivalStanding
        standing={standing}
        instant={instant}
        timeZone={next.warehouse?.timeZone}
        accuracyMeters={watch.kind === "fix" ? watch.fix.accuracyMeters : null}
        onTry={tryNow}
      />
    </>
  );
}

function Waiting() {
  return (
    <output className="grid gap-4">
      <span className="sr-only">{m.arrival_loading()}</span>
      <Skeleton className="h-16" />
      <Skeleton className="h-40" />
    </output>
  );
}

function Unread({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const product = useProductName();
  if (codeOf(error) === "unauthenticated") {
    return <Problem title={m.arrival_over()} hint={m.arrival_over_text({ product })} />;
  }
  return (
    <>
      <Problem title={m.arrival_failed()} hint={sayProblem(error)} />
      <Button look="primary" onClick={onAgain}>
        {m.try_again()}
      </Button>
    </>
  );
}
