import { useEffect, useRef, type ReactNode } from "react";
import { m } from "../../messages/messages.js";

const STEPS = [
  { step: "credentials", name: m.linking_step_credentials },
  { step: "otp", name: m.linking_step_code },
  { step: "approval", name: m.linking_step_approval },
] as const;

/** A linking step: the progress, a title, a line about what comes, and the form. */
export function LinkingStepLayout({
  step,
  title,
  text,
  children,
}: {
  step: (typeof STEPS)[number]["step"];
  title: string;
  text: string;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const currentIndex = STEPS.findIndex((known) => known.step === step);
  // The page advanced on its own: moving the focus announces the new step.
  useEffect(() => {
    if (currentIndex > 0) heading.current?.focus();
  }, [currentIndex]);
  return (
    <div className="mx-auto grid max-w-md gap-5 py-2 lg:py-6">
      <nav aria-label={m.linking_steps()}>
        <ol className="grid grid-cols-3 gap-2">
          {STEPS.map(({ step: known, name }, index) => (
            <li
              key={known}
              aria-current={known === step ? "step" : undefined}
              className={`border-t-4 pt-1.5 text-sm ${
                index <= currentIndex ? "border-ink font-semibold" : "border-line text-soft"
              }`}
            >
              <span className="figures">{index + 1}</span> {name()}
            </li>
          ))}
        </ol>
      </nav>
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
