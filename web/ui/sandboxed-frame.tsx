import { ExternalLink } from "lucide-react";
import { useEffect, useState } from "react";
import { m } from "../messages/messages.js";
import { buttonClass } from "./button.tsx";

/**
 * Another page inside ours, shut in: it can neither move ours nor open windows, and learns nothing of our
 * address. `device`: what of the device it may ask for. `isForeign`: it brings no ground of our theme.
 */
export function SandboxedFrame({
  src,
  title,
  allow,
  isThirdParty = false,
}: {
  src: string;
  title: string;
  allow: string;
  isThirdParty?: boolean;
}) {
  const [isBlocked, setBlocked] = useState(false);
  useEffect(() => {
    const onViolation = (event: SecurityPolicyViolationEvent) => {
      if (event.effectiveDirective === "frame-src") setBlocked(true);
    };
    document.addEventListener("securitypolicyviolation", onViolation);
    return () => document.removeEventListener("securitypolicyviolation", onViolation);
  }, []);
  if (isBlocked) return <p role="alert">{m.frame_blocked()}</p>;
  return (
    <iframe
      src={src}
      title={title}
      allow={allow}
      // The platform's page is of another origin than ours; our own needs its origin for the device's position.
      // oxlint-disable-next-line react/iframe-missing-sandbox -- scripts and an origin of its own, for these two only
      sandbox="allow-scripts allow-same-origin allow-forms"
      referrerPolicy="no-referrer"
      className="h-[min(34rem,62dvh)] w-full rounded-field border border-line bg-ground"
      style={isThirdParty ? { colorScheme: "light", background: "white" } : undefined}
    />
  );
}

/** The way to a page that does not like to stand in a frame. */
export function OpenInNewTabLink({ href }: { href: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={buttonClass("quiet")}>
      <ExternalLink aria-hidden className="size-4.5" />
      {m.frame_own_tab()}
    </a>
  );
}
