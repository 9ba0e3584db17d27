import { useState, type ReactNode } from "react";
import { useIsHydrated } from "../early/use-is-hydrated.ts";
import { caseName } from "../../worker/contract/served-cases.ts";

/** Leaves alone what stands there. One object, since React writes a new one into the page. */
const AS_SERVED = { __html: "" };

/**
 * Shows what only the deployment knows. The HTML that is made at build time has each form that it can take, of which the Worker
 * keeps one and fills it in. That stays until the page has asked itself, so that nothing moves in between.
 * @param children null until the page knows
 */
export function ServedPart({
  name,
  cases,
  fallback,
  children,
}: {
  name: string;
  cases: () => Readonly<Record<string, ReactNode>>;
  /** On a page that was not served with it, or that a device kept without it. */
  fallback: ReactNode;
  children: ReactNode;
}) {
  const isHydrated = useIsHydrated();
  const [isServed, setServed] = useState(!isHydrated);
  if (typeof document === "undefined")
    return (
      <div className="contents">
        {Object.entries(cases()).map(([value, content]) => (
          <template key={value} data-case={caseName(name, value)}>
            {content}
          </template>
        ))}
      </div>
    );
  if (isHydrated && children !== null) return <div className="contents">{children}</div>;
  if (!isServed) return fallback;
  return (
    <div
      key="served"
      ref={(part) => {
        if (part?.textContent === "") setServed(false);
      }}
      className="contents"
      suppressHydrationWarning
      dangerouslySetInnerHTML={AS_SERVED}
    />
  );
}
