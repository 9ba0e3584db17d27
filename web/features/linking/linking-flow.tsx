import { useSuspenseQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { Navigate, Link, useRouter } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { useState, useEffect } from "react";
import type { Snapshot } from "../../../db/shapes/work/live.ts";
import type { SetupResponse } from "../../../db/shapes/work/linking.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { linkingStore, setupQuery, updateLinking } from "../../api/queries/setup.ts";
import { CodeStep } from "./code-step.tsx";
import { CredentialsStep } from "./credentials-step.tsx";
import { CircleCheck, BellRing, Footprints } from "lucide-react";
import { userQuery } from "../../api/queries/user.ts";
import { m } from "../../messages/messages.js";
import { buttonClass, Button } from "../../ui/button.tsx";
import { ReloadButton } from "../../ui/reload-button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { useProductName } from "../../api/queries/use-config.ts";
import { useUser } from "../session/use-user.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { useSecondsUntil, useRefetchSetupWhen } from "./countdown.ts";
import { formatBlockLength, formatCountdown, formatTimeRange } from "../language/format.ts";
import { LinkingStepLayout, LookFailure } from "./linking-step-layout.tsx";
import { liveStore, connectLive } from "../../api/live/live.ts";
import { useNow } from "../../ui/use-now.ts";
import { ConnectionBanner } from "../live/connection-notices.tsx";
import { useCheckInObstacle } from "../arrival/shown-obstacle.ts";
import { ArrivedButton, SHOWN_BEFORE_MS } from "../arrival/arrived-button.tsx";
import { offerPlace, type OfferPlace } from "../offers/offer-place.ts";
import { SelfieButton } from "./selfie-button.tsx";
import { toast } from "../../ui/toast.ts";
import { citySpotsQuery, spotQuery } from "../../api/queries/spots.ts";
import { homePathFor } from "../session/home-path.ts";

type Step = Exclude<SetupResponse["step"], "linked" | "other">;

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
  // Not before the screen shows the first step: until then it would lead back, and what is typed would be gone.
  const isOver = isRestarting && data.step === "credentials";
  useEffect(() => {
    if (isOver) updateLinking({ isRestarting: false });
  }, [isOver]);
  if (data.step !== "linked" && !wasInProgress) setWasInProgress(true);
  if (data.step === "linked") return wasInProgress ? <RedirectAfterLinking /> : <AlreadyLinked />;
  if (data.step === "other") return <NewerStep />;
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

/** For a step that only a later release of the page knows. */
function NewerStep() {
  return (
    <div className="mx-auto grid max-w-md gap-4">
      <StatusPanel Icon={Footprints} heading="h1" title={m.linking_other_title()} actions={<ReloadButton />}>
        {m.linking_other_text()}
      </StatusPanel>
    </div>
  );
}

/** For a driver whose account is already linked. */
function AlreadyLinked() {
  const queryClient = useQueryClient();
  const product = useProductName();
  const user = useUser();
  const email = user.flexEmail ?? "";
  useEffect(() => void refreshLinkedUser(queryClient), [queryClient]);
  const actions = (
    <>
      <Link to={homePathFor({ ...user, proxyInstalled: true })} className={buttonClass("primary")}>
        {m.linking_linked_go_on()}
      </Link>
      <Link to="/flex/profile" className={buttonClass("plain")}>
        {m.linking_linked_profile()}
      </Link>
    </>
  );
  return (
    <div className="mx-auto grid max-w-md items-center gap-4 lg:has-[>:nth-child(2)]:max-w-4xl lg:has-[>:nth-child(2)]:grid-cols-2">
      <StatusPanel Icon={CircleCheck} heading="h1" title={m.linking_linked_title()} actions={actions}>
        {email !== "" && m.linking_linked_text({ email, product })} {m.linking_linked_unlink()}
      </StatusPanel>
      <PendingActions isSecond />
    </div>
  );
}

/** The driver approves the sign-in on their device. `failure`: why the latest status check failed, or null. */
function ApprovalStep({ expiresAt, failure }: { expiresAt: EpochMs; failure: unknown }) {
  const secondsLeft = useSecondsUntil(expiresAt);
  useRefetchSetupWhen(secondsLeft === 0);
  return (
    <LinkingStepLayout step="approval" title={m.linking_approval_title()} text={m.linking_approval_text()}>
      <LookFailure failure={failure} />
      <div className="card grid justify-items-center gap-3 px-5 py-8">
        <span className="grid size-16 animate-[breathe_1.6s_ease-in-out_infinite] place-items-center rounded-full bg-signal text-on-signal">
          <BellRing aria-hidden className="size-7" />
        </span>
        <output className="font-display text-lg font-semibold">{m.linking_approval_waiting()}</output>
        <p className="figures text-soft">{m.linking_approval_left({ left: formatCountdown(secondsLeft) })}</p>
      </div>
      <p className="text-sm text-soft">{m.linking_approval_missing()}</p>
      <PendingActions />
      <Button variant="quiet" onClick={() => updateLinking({ isRestarting: true })}>
        {m.linking_anew()}
      </Button>
    </LinkingStepLayout>
  );
}

/**
 * Tasks that can't wait for the linking to finish: a selfie that the platform asks for, and a block that is about to
 * start.
 * @param isSecond whether the screen has a lime button already
 */
function PendingActions({ isSecond = false }: { isSecond?: boolean }) {
  useEffect(connectLive, []);
  const snapshot = useSelector(liveStore, (live) => live.snapshot);
  return (
    <>
      <ConnectionBanner />
      {snapshot && <PendingActionsOf system={snapshot} isSecond={isSecond} />}
    </>
  );
}

function PendingActionsOf({ system, isSecond }: { system: Snapshot; isSecond: boolean }) {
  const { phase, held, warehouses } = system;
  const now = useNow(15_000);
  const obstacle = useCheckInObstacle(system, now);
  const next = held.find(({ endsAt }) => endsAt > now);
  // An opened check-in, or selfie, outlasts a connection that is lost for a moment.
  const isPossible = obstacle === null || obstacle.kind === "offline";
  const block = next && isPossible && next.startsAt - now <= SHOWN_BEFORE_MS ? next : null;
  const selfieUrl = phase.kind === "verification_required" ? phase.url : null;
  if (selfieUrl === null && !block) return null;
  return (
    <div className="grid gap-3 empty:hidden">
      {selfieUrl !== null && <SelfieButton url={selfieUrl} isSecond={isSecond} />}
      {block && (
        <PendingBlock
          block={block}
          place={offerPlace(block, warehouses)}
          now={now}
          obstacle={obstacle}
          isSecond={isSecond}
        />
      )}
    </div>
  );
}

function PendingBlock({
  block,
  place,
  now,
  ...arrived
}: Omit<Parameters<typeof ArrivedButton>[0], "timeZone"> & { place: OfferPlace }) {
  return (
    <section data-testid="pending-block" className="card grid gap-3 px-4 py-4">
      <p className="figures text-pretty">
        <span className="block font-semibold">{place.name}</span>
        <span className="block text-sm text-soft">
          {formatTimeRange(block, { timeZone: place.timeZone, now })}&nbsp;· {formatBlockLength(block)}
        </span>
      </p>
      <ArrivedButton block={block} now={now} timeZone={place.timeZone} {...arrived} />
    </section>
  );
}

/** After linking: refreshes the record, then goes to the driver's next step. */
function RedirectAfterLinking() {
  const queryClient = useQueryClient();
  const { history } = useRouter();
  useEffect(() => {
    void redirect();
    async function redirect() {
      const user = await refreshLinkedUser(queryClient);
      if (!user) return;
      history.replace(homePathFor(user));
      await announceSpot().catch(() => undefined);
    }
    /** Where the city has a limit. Waiting drivers see it on the next screen. */
    async function announceSpot() {
      const [{ spot }, { cities }] = await Promise.all([
        queryClient.fetchQuery(spotQuery),
        queryClient.fetchQuery(citySpotsQuery),
      ]);
      if (spot?.status === "held" && cities.some(({ city }) => city === spot.city))
        toast(m.spot_linked({ city: spot.city }));
    }
  }, [queryClient, history]);
  return null;
}

/**
 * Fetches the record and caches it as linked, which the driver's object knows first: the database may lag behind, and would
 * lead back here. Null if the record can't be fetched and none is cached.
 */
async function refreshLinkedUser(queryClient: QueryClient): Promise<User | null> {
  const known = queryClient.getQueryData(userQuery.queryKey);
  const fresh = await queryClient.fetchQuery({ ...userQuery, staleTime: 0 }).catch(() => known);
  if (!fresh) return null;
  const user = { ...fresh, proxyInstalled: true };
  queryClient.setQueryData(userQuery.queryKey, user);
  return user;
}
