import { useQuery } from "@tanstack/react-query";
import { Navigate } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { WifiOff } from "lucide-react";
import { useState } from "react";
import type { SetupResponse } from "../../../db/shapes/linking.ts";
import { linkingStore, setupQuery } from "../../api/setup.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { ApprovalStep } from "./approval-step.tsx";
import { CodeStep } from "./code-step.tsx";
import { CredentialsStep } from "./credentials-step.tsx";
import { RedirectAfterLinking } from "./redirect-after-linking.tsx";
import { AlreadyLinked } from "./already-linked.tsx";

type Step = Exclude<SetupResponse["step"], "linked">;

const STEP_PATHS = {
  credentials: "/flex/login",
  otp: "/flex/otp",
  approval: "/flex/confirmation",
} as const satisfies Record<Step, string>;

/** Linking, at the step that the server names; whoever opened another one's address is led to it. */
export function LinkingFlow({ currentStep }: { currentStep: Step }) {
  const { data, error, refetch } = useQuery(setupQuery);
  const isRestarting = useSelector(linkingStore, (state) => state.isRestarting);
  const [wasInProgress, setWasInProgress] = useState(false);
  if (data && data.step !== "linked" && !wasInProgress) setWasInProgress(true);
  if (!data) return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <LinkingSkeleton />;
  if (data.step === "linked") return wasInProgress ? <RedirectAfterLinking /> : <AlreadyLinked />;
  const step = isRestarting ? "credentials" : data.step;
  if (step !== currentStep) return <Navigate to={STEP_PATHS[step]} replace />;
  switch (data.step) {
    case "credentials":
      return <CredentialsStep />;
    case "otp":
      return isRestarting ? <CredentialsStep isInProgress /> : <CodeStep code={data} failure={error} />;
    case "approval":
      return isRestarting ? (
        <CredentialsStep isInProgress />
      ) : (
        <ApprovalStep expiresAt={data.expiresAt} failure={error} />
      );
  }
}

function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const retryButton = (
    <Button variant="primary" onClick={onRetry}>
      {m.try_again()}
    </Button>
  );
  return (
    <StatusPanel
      Icon={WifiOff}
      heading="h1"
      role="alert"
      title={m.linking_read_failed_title()}
      actions={retryButton}
    >
      {errorMessage(error)} {m.linking_read_failed_text()}
    </StatusPanel>
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
