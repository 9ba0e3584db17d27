import { Suspense, useState } from "react";
import { loadPasskeyHints } from "../../api/session/passkey-hints.ts";
import { parseTokenSession, sessionStore } from "../../api/session/session.ts";
import { lazyOptional } from "../../ui/lazy-optional.ts";
import { useSelector } from "@tanstack/react-store";
import type { Snapshot } from "../../../db/shapes/work/live.ts";
import { useStaleSince } from "../live/use-live.ts";
import { liveStore } from "../../api/live/live.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { feedbackQuery } from "../../api/queries/feedback.ts";
import { useNow } from "../../ui/use-now.ts";
import { m } from "../../messages/messages.js";
import type { LogEntry } from "../../../db/shapes/log/driver-log.ts";
import type { Question } from "../../../db/shapes/work/question.ts";
import { OthersRoom, asksForOthers } from "../health/others-room.tsx";
import { LoadBoundary, LoadError, type CaughtError } from "../errors/load-error.tsx";

/** Rarely shown, so not in the dashboard's own code. Where it can't be fetched, nothing is announced. */
const Announcements = lazyOptional(async () => (await import("./announcements.tsx")).Announcements);

/** Rarely shown, so not in the dashboard's own code. Where it can't be fetched, the raffle's own page says it. */
const RaffleWon = lazyOptional(async () => (await import("../raffle/raffle-won.tsx")).RaffleWon);

/** Shown while a rule asks. Where it can't be fetched, the push message asks the same. */
const QuestionCards = lazyOptional(
  async () => (await import("../questions/question-cards.tsx")).QuestionCards,
);

/** Shown in the last days of service. Where its code can't be fetched, the text says it. */
const RenewalNoticeCard = lazyOptional(
  async () => (await import("../payments/renewal-notice.tsx")).RenewalNoticeCard,
);

/** A renewal is announced two days and an hour before service ends. */
const NOTICED_BEFORE_MS = 50 * 3_600_000;

/** Loaded with the first capture. Where it can't be fetched, notifications aren't offered until the page is loaded anew. */
const PushPrompt = lazyOptional(async () => (await import("../notifications/push-prompt.tsx")).PushPrompt);

/** Shown after the first sign-in by password. Where it can't be fetched, the profile offers the same. */
const PasskeyOffer = lazyOptional(async () => (await import("../passkeys/passkey-offer.tsx")).PasskeyOffer);

/** Shown in a session of a passkey. Where it can't be fetched, the profile says it. */
const RecoveryWarning = lazyOptional(
  async () => (await import("../passkeys/recovery-warning.tsx")).RecoveryNotice,
);

/** Not needed for the first paint. If its chunk can't be fetched, the dashboard goes without it. */
const PointsCard = lazyOptional(async () => (await import("../rewards/points-card.tsx")).PointsCard);

/** Rarely shown, so not in the dashboard's own code. Where it can't be fetched, the payments screen has it. */
const LatestLostDay = lazyOptional(async () => (await import("../payments/lost-days.tsx")).LatestLostDay);

/** Rarely shown, so not in the dashboard's own code. Where it can't be fetched, nobody is asked. */
const FeedbackCard = lazyOptional(async () => (await import("./feedback-card.tsx")).FeedbackCard);

/** Not needed for the first paint. If its chunk can't be fetched (offline, a new build), the dashboard goes without it. */
const EarningsCard = lazyOptional(async () => (await import("./earnings-card.tsx")).EarningsCard);

/** Whether others have the same trouble. Where it can't be fetched, the card says what there is to say of this driver. */
const OthersNotice = lazyOptional(async () => (await import("../health/others-notice.tsx")).OthersNotice);

/** Renders nothing while nobody asks, then keeps its room free until it has loaded, so that nothing below it moves. */
export function LazyOthersNotice({
  isPainted,
  phase,
  timeZone,
}: Pick<Snapshot, "phase" | "timeZone"> & { isPainted: boolean }) {
  const isCurrent = useStaleSince() === null;
  if (!isCurrent || !asksForOthers(phase)) return null;
  const room = <OthersRoom phase={phase} />;
  return (
    <Suspense fallback={room}>
      {isPainted ? <OthersNotice phase={phase} timeZone={timeZone} /> : room}
    </Suspense>
  );
}

export function LazyAnnouncements() {
  return (
    <Suspense fallback={null}>
      <Announcements />
    </Suspense>
  );
}

/** Questions about offers, whose code is fetched with the first. */
export function LazyQuestions(props: { questions: readonly Question[]; entries: readonly LogEntry[] }) {
  const { questions } = props;
  const [hadAny, setHadAny] = useState(false);
  if (questions.length > 0 && !hadAny) setHadAny(true);
  return <Suspense fallback={null}>{hadAny && <QuestionCards {...props} />}</Suspense>;
}

export function LazyRaffleWon() {
  return (
    <Suspense fallback={null}>
      <RaffleWon />
    </Suspense>
  );
}

/** The notice of a renewal, fetched only while one may be announced. */
export function LazyRenewalNotice({ serviceUntil }: { serviceUntil: number | null }) {
  const now = useNow(60_000);
  if (serviceUntil === null || serviceUntil <= now || serviceUntil - now > NOTICED_BEFORE_MS) return null;
  return (
    <Suspense fallback={null}>
      <RenewalNoticeCard />
    </Suspense>
  );
}

/** Offers notifications once the driver has seen a capture. */
export function PushOffer() {
  const hasCaptured = useSelector(liveStore, (live) => live.lastCapture !== null);
  return <Suspense>{hasCaptured && <PushPrompt />}</Suspense>;
}

/** Offers a passkey once, after a sign-in by password in this browser. */
export function LazyPasskeyOffer() {
  const [isDue] = useState(() => loadPasskeyHints().offer === "due");
  return <Suspense>{isDue && <PasskeyOffer />}</Suspense>;
}

/** Warns who signed in with a passkey of a password that a texted code set. */
export function LazyRecoveryWarning() {
  const isByPasskey = useSelector(
    sessionStore,
    (session) =>
      session !== undefined && session !== null && parseTokenSession(session) === loadPasskeyHints().session,
  );
  return <Suspense>{isByPasskey && <RecoveryWarning />}</Suspense>;
}

/** The points on the dashboard. */
export function LazyPointsCard() {
  return (
    <Suspense fallback={<Skeleton className="h-18 rounded-card" />}>
      <PointsCard />
    </Suspense>
  );
}

/** The last day on which the system could not work. */
export function LazyLostDay() {
  return (
    <Suspense fallback={null}>
      <LatestLostDay />
    </Suspense>
  );
}

export function LazyFeedbackCard() {
  if (!useQuery(feedbackQuery).data?.isDue) return null;
  return (
    <Suspense fallback={null}>
      <FeedbackCard />
    </Suspense>
  );
}

/** The earnings, which load and fail independently of the rest of the dashboard. */
export function LazyEarningsCard() {
  return (
    <LoadBoundary skeleton={<EarningsSkeleton />} errorComponent={EarningsError}>
      <EarningsCard />
    </LoadBoundary>
  );
}

function EarningsSkeleton() {
  return (
    <output className="block">
      <span className="sr-only">{m.earnings_loading()}</span>
      <Skeleton className="h-64 rounded-card" />
    </output>
  );
}

function EarningsError(caught: CaughtError) {
  return (
    <section className="card">
      <LoadError {...caught} isPart title={m.earnings_title()}>
        {m.earnings_failed()}
      </LoadError>
    </section>
  );
}
