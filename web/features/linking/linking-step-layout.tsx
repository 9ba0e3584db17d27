import { ExternalLink, TriangleAlert, WifiOff } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { m } from "../../messages/messages.js";
import { Banner } from "../../ui/notices.tsx";
import { useOnline } from "../../ui/use-online.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { errorText } from "../language/error-messages.ts";
import { openSheet } from "../ui-state/ui-store.ts";
import { verificationUrlOf } from "./linking-messages.ts";

const STEPS = ["credentials", "otp", "approval"] as const;

/** A linking step: which of the three it is, a title, a line about what comes, and the form. */
export function LinkingStepLayout({
  step,
  title,
  text,
  children,
}: {
  step: (typeof STEPS)[number];
  title: string;
  text: string;
  children: ReactNode;
}) {
  const isOnline = useOnline();
  const heading = useRef<HTMLHeadingElement>(null);
  const currentIndex = STEPS.indexOf(step);
  // The page advanced on its own: moving the focus announces the new step. A code is typed at once.
  useEffect(() => {
    if (step === "approval") heading.current?.focus();
  }, [step]);
  return (
    <div className="mx-auto grid max-w-md grid-cols-1 gap-5 py-2 lg:max-w-5xl lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)] lg:items-start lg:gap-x-12 lg:py-6">
      <div className="grid gap-2 lg:col-span-2">
        <p className="text-sm text-soft">{m.linking_step_of({ step: currentIndex + 1 })}</p>
        <h1 ref={heading} tabIndex={-1} className="text-3xl outline-none">
          {title}
        </h1>
        <p className="text-soft">{text}</p>
      </div>
      <div className="grid grid-cols-1 gap-5 lg:card lg:p-6">
        {!isOnline && <Banner Icon={WifiOff}>{m.linking_offline()}</Banner>}
        {children}
      </div>
      <LinkingParts currentIndex={currentIndex} />
    </div>
  );
}

const PART_TITLES = {
  credentials: m.linking_login_title,
  otp: m.linking_otp_title,
  approval: m.linking_approval_title,
} satisfies Record<(typeof STEPS)[number], () => string>;

/** The three parts beside the form, where a desk has room for them. */
function LinkingParts({ currentIndex }: { currentIndex: number }) {
  return (
    <aside className="hidden gap-5 lg:grid">
      <ol className="grid gap-4">
        {STEPS.map((part, index) => (
          <li
            key={part}
            aria-current={index === currentIndex ? "step" : undefined}
            className={`flex items-center gap-3 ${index === currentIndex ? "font-semibold" : "text-soft"}`}
          >
            <span
              aria-hidden
              className={`figures grid size-8 shrink-0 place-items-center rounded-full border-2 text-sm font-bold ${index === currentIndex ? "border-ink bg-ink text-ground" : "border-edge"}`}
            >
              {index + 1}
            </span>
            {PART_TITLES[part]()}
          </li>
        ))}
      </ol>
      <p className="border-t border-line pt-5 text-soft">{m.linking_about()}</p>
    </aside>
  );
}

/** Failures of the platform that end by themselves; any other is ours, or asks for the driver. */
const PLATFORM_SILENT = ["platform_unreachable", "rate_limited"];

/** Why the latest look at how far linking has come failed; the page looks again by itself. Nothing for null. */
export function LookFailure({ failure }: { failure: unknown }) {
  if (failure === null) return null;
  return PLATFORM_SILENT.includes(errorCodeOf(failure)) ? (
    <Banner Icon={WifiOff}>{m.linking_not_reached()}</Banner>
  ) : (
    <>
      <Banner Icon={TriangleAlert}>{errorText(failure)}</Banner>
      <VerificationLink url={verificationUrlOf(failure)} />
    </>
  );
}

/** The platform's page on which the driver verifies themselves before they try again; nothing where it named none. */
export function VerificationLink({ url = null }: { url?: string | null | undefined }) {
  if (url === null) return null;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className={buttonClass("plain")}>
      <ExternalLink aria-hidden className="size-4.5" />
      {m.phase_verification_action()}
    </a>
  );
}

/** For where retrying doesn't help. */
export function ContactSupportButton() {
  return (
    <Button variant="quiet" onClick={() => openSheet("support")}>
      {m.nav_contact()}
    </Button>
  );
}
