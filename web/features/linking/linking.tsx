import { useQuery } from "@tanstack/react-query";
import { Navigate } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { WifiOff } from "lucide-react";
import { useState } from "react";
import type { SetupAnswer } from "../../../worker/contract/setup.ts";
import { linkingStore, setupQuery } from "../../api/setup.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { sayProblem } from "../language/problem-words.ts";
import { ApprovalStep } from "./approval-step.tsx";
import { CodeStep } from "./code-step.tsx";
import { CredentialsStep } from "./credentials-step.tsx";
import { GoOn } from "./go-on.tsx";
import { Linked } from "./linked.tsx";

type Step = Exclude<SetupAnswer["step"], "linked">;

const PLACES = {
  credentials: "/flex/login",
  otp: "/flex/otp",
  approval: "/flex/confirmation",
} as const satisfies Record<Step, string>;

/** Linking, at the step that the server names; whoever opened another one's address is led to it. */
export function Linking({ at }: { at: Step }) {
  const { data, error, refetch } = useQuery(setupQuery);
  const isAnew = useSelector(linkingStore, (state) => state.isAnew);
  const [wasUnderWay, setUnderWay] = useState(false);
  if (data && data.step !== "linked" && !wasUnderWay) setUnderWay(true);
  if (!data) return error ? <Unread error={error} onAgain={() => void refetch()} /> : <LinkingSkeleton />;
  if (data.step === "linked") return wasUnderWay ? <GoOn /> : <Linked />;
  const step = isAnew ? "credentials" : data.step;
  if (step !== at) return <Navigate to={PLACES[step]} replace />;
  switch (data.step) {
    case "credentials":
      return <CredentialsStep />;
    case "otp":
      return isAnew ? <CredentialsStep underWay /> : <CodeStep code={data} failure={error} />;
    case "approval":
      return isAnew ? (
        <CredentialsStep underWay />
      ) : (
        <ApprovalStep expiresAt={data.expiresAt} failure={error} />
      );
  }
}

function Unread({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const again = (
    <Button look="primary" onClick={onAgain}>
      {m.try_again()}
    </Button>
  );
  return (
    <Notice Icon={WifiOff} heading="h1" role="alert" title={m.linking_read_failed_title()} actions={again}>
      {sayProblem(error)} {m.linking_read_failed_text()}
    </Notice>
  );
}

function LinkingSkeleton() {
  return (
    <output className="mx-auto grid max-w-md gap-5 py-4">
      <span className="sr-only">{m.loading()}</span>
      <Skeleton className="h-6" />
      <Skeleton className="h-10 w-3/4" />
      <Skeleton className="h-40" />
    </output>
  );
}
