import { useSuspenseQuery } from "@tanstack/react-query";
import { Navigate } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { useState } from "react";
import type { SetupResponse } from "../../../db/shapes/work/linking.ts";
import { linkingStore, setupQuery } from "../../api/queries/setup.ts";
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

/** The linking step that the server is at; another step's path redirects to it. */
export function LinkingFlow({ currentStep }: { currentStep: Step }) {
  const { data, error } = useSuspenseQuery(setupQuery);
  const isRestarting = useSelector(linkingStore, (state) => state.isRestarting);
  const [wasInProgress, setWasInProgress] = useState(false);
  if (data.step !== "linked" && !wasInProgress) setWasInProgress(true);
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
