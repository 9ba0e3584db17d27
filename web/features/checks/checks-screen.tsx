import { useQuery } from "@tanstack/react-query";
import { RotateCw, WifiOff } from "lucide-react";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { CHECK_SUBJECTS, CHECKS, type Check } from "../../../db/shapes/work/checks.ts";
import type { PushState } from "../../api/device/push.ts";
import { checksQuery } from "../../api/queries/checks.ts";
import { m } from "../../messages/messages.js";
import { Banner } from "../../ui/notices.tsx";
import { Button } from "../../ui/button.tsx";
import { Screen } from "../../ui/screen.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useOnline } from "../../ui/use-online.ts";
import { FreshSignInSheet } from "../account/fresh-sign-in-sheet.tsx";
import { LoadErrorPanel } from "../errors/load-error.tsx";
import { errorText } from "../language/error-messages.ts";
import { formatCount } from "../language/format.ts";
import { PUSH_MESSAGES, usePush } from "../notifications/use-push.ts";
import { useUser } from "../session/use-user.ts";
import { checkMessage, SUBJECTS } from "./check-messages.ts";
import { CheckRow, type RowState, CheckAction } from "./check-row.tsx";

/**
 * Everything that has to be right for a capture, and for the driver to hear of it: checked when the screen opens, and
 * at a tap.
 */
export function ChecksScreen() {
  const { phoneNumber } = useUser();
  const isOnline = useOnline();
  const { data, error, isFetching, refetch } = useQuery({
    ...checksQuery,
    refetchOnMount: "always",
    retry: 1,
  });
  const push = usePush();
  const checks = data?.checks ?? null;
  // An earlier result may no longer hold.
  const hasFailed = error !== null && !isFetching;
  return (
    <Screen width="reading" title={m.checks_title()} text={m.checks_lead()}>
      {!isOnline && <Banner Icon={WifiOff}>{m.checks_offline()}</Banner>}
      {hasFailed && isOnline ? (
        <div className="card">
          <LoadErrorPanel title={m.checks_failed()} onRetry={() => void refetch()}>
            {errorText(error)}
          </LoadErrorPanel>
        </div>
      ) : (
        <CheckList
          checks={checks}
          isChecking={isFetching}
          isOnline={isOnline}
          push={push}
          onCheck={() => void refetch()}
        />
      )}
      <FreshSignInSheet phone={phoneNumber} />
    </Screen>
  );
}

function CheckList({
  checks,
  isChecking,
  isOnline,
  push,
  onCheck,
}: {
  checks: readonly Check[] | null;
  isChecking: boolean;
  isOnline: boolean;
  push: ReturnType<typeof usePush>;
  onCheck: () => void;
}) {
  const { humanTimezone: timeZone, trialPending = false } = useUser();
  const now = useNow(MINUTE_MS);
  // The driver's object doesn't know of a free day before it begins, with the first switch-on.
  const isTrial = ({ code }: Check) => trialPending && code === "service_over";
  const stateOf = (check: Check) => (isTrial(check) ? "ok" : CHECKS[check.code].state);
  // Without a connection nobody knows whether they still hold.
  const isShown = checks !== null && !isChecking && isOnline;
  const codes = new Set(isShown ? checks.map(({ code }) => code) : []);
  const isDeviceNeeded = codes.has("push_lost") || codes.has("push_needed");
  // The server knows of no browser that listens, whatever this one believes.
  const isUnheard = isDeviceNeeded || codes.has("push_none");
  const pushState = isUnheard && push.state === "on" ? "off" : push.state;
  const first = isShown ? checks.find((check) => stateOf(check) === "attention") : undefined;
  const device = push.isOffered ? [deviceState(pushState, isDeviceNeeded)] : [];
  return (
    <>
      <div className="grid justify-items-start gap-2 sm:flex sm:items-center sm:justify-between sm:gap-4">
        <output className="figures grid min-w-0 font-semibold *:[grid-area:1/1]" data-testid="checks-summary">
          {/* The room that any of them needs, so that nothing below moves. */}
          {[m.checks_all_good(), m.checks_mostly_good(), attentionText(CHECK_SUBJECTS.length)].map((text) => (
            <span key={text} aria-hidden className="invisible">
              {text}
            </span>
          ))}
          <span>
            {isShown
              ? summaryOf([...checks.map(stateOf), ...device])
              : isOnline
                ? m.check_progress({
                    done: formatCount(device.filter((state) => state !== "checking").length),
                    all: formatCount(CHECK_SUBJECTS.length + device.length),
                  })
                : m.check_state_unknown()}
          </span>
        </output>
        <Button
          className="shrink-0"
          aria-disabled={isChecking || !isOnline}
          onClick={() => isChecking || !isOnline || onCheck()}
        >
          <RotateCw aria-hidden className="size-4.5" />
          {m.checks_again()}
        </Button>
      </div>
      <ul className="card divide-y divide-line" data-testid="checks" aria-busy={isChecking}>
        {isShown
          ? checks.map((check) => (
              <CheckRow
                key={check.code}
                subject={SUBJECTS[CHECKS[check.code].subject]()}
                state={stateOf(check)}
                text={isTrial(check) ? m.service_trial() : checkMessage(check, { now, timeZone })}
              >
                {!isTrial(check) && <CheckAction code={check.code} isPrimary={check === first} />}
              </CheckRow>
            ))
          : CHECK_SUBJECTS.map((subject) => (
              <CheckRow
                key={subject}
                subject={SUBJECTS[subject]()}
                state={isOnline ? "checking" : "unknown"}
                text={isOnline ? m.check_running() : m.check_offline()}
              />
            ))}
        {push.isOffered && (
          <DeviceRow
            // Until the first result it stands elsewhere.
            key={checks === null ? "first" : "device"}
            push={{ ...push, state: pushState }}
            isNeeded={isDeviceNeeded}
            isPrimary={first?.code.startsWith("push") === true}
            onChanged={onCheck}
          />
        )}
      </ul>
    </>
  );
}

function summaryOf(states: readonly string[]): string {
  const count = states.filter((state) => state === "attention").length;
  if (count > 0) return attentionText(count);
  return states.includes("unknown") ? m.checks_mostly_good() : m.checks_all_good();
}

function attentionText(count: number): string {
  return m.checks_attention({ count, figure: formatCount(count) });
}

/** The state of this device's line; `isNeeded`: no other way reaches the driver. */
function deviceState(push: PushState | undefined, isNeeded: boolean): RowState {
  if (push === undefined) return "checking";
  if (push === "on") return "ok";
  return push === "denied" || isNeeded ? "attention" : "off";
}

/** Whether this device shows notifications, as its browser says, with the tap that turns them on. */
function DeviceRow({
  push: { state, setEnabled, isUpdating, errorText },
  isNeeded,
  isPrimary,
  onChanged,
}: {
  push: ReturnType<typeof usePush>;
  isNeeded: boolean;
  /** Nothing else comes first. */
  isPrimary: boolean;
  onChanged: () => void;
}) {
  return (
    <CheckRow
      subject={m.notify_push_title()}
      state={deviceState(state, isNeeded)}
      text={state === undefined ? m.check_running() : PUSH_MESSAGES[state]()}
    >
      {state === "off" && (
        <Button
          variant={isPrimary ? "primary" : "plain"}
          className="justify-self-start"
          aria-disabled={isUpdating}
          onClick={() => isUpdating || setEnabled(true, { onSettled: onChanged })}
        >
          {m.notify_push_turn_on()}
        </Button>
      )}
      {errorText && !isUpdating && (
        <p role="alert" className="text-sm font-semibold text-bad">
          {errorText}
        </p>
      )}
    </CheckRow>
  );
}
