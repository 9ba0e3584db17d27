import { useEffect, useRef, type ReactNode } from "react";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { openSheet } from "../ui-state/ui-store.ts";

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
  const heading = useRef<HTMLHeadingElement>(null);
  const currentIndex = STEPS.indexOf(step);
  // The page advanced on its own: moving the focus announces the new step. A code is typed at once.
  useEffect(() => {
    if (step === "approval") heading.current?.focus();
  }, [step]);
  return (
    <div className="mx-auto grid max-w-md gap-5 py-2 lg:py-6">
      <div className="grid gap-2">
        <p className="text-sm text-soft">{m.linking_step_of({ step: currentIndex + 1 })}</p>
        <h1 ref={heading} tabIndex={-1} className="text-3xl outline-none">
          {title}
        </h1>
        <p className="text-soft">{text}</p>
      </div>
      {children}
    </div>
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
