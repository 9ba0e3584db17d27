import { ExternalLink } from "lucide-react";
import { useEffect, useState } from "react";
import { m } from "../messages/messages.js";
import { buttonClass } from "./button.tsx";

/**
 * Another page inside ours. It can neither navigate ours nor open windows, and gets no referrer.
 * `allow`: which device features it may use. `isThirdParty`: its page is light in either theme.
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
      // The platform's page has its own origin; ours needs the origin for the geolocation permission.
      // oxlint-disable-next-line react/iframe-missing-sandbox -- scripts and an origin of its own, for these two only
      sandbox="allow-scripts allow-same-origin allow-forms"
      referrerPolicy="no-referrer"
      className="h-[min(34rem,62dvh)] w-full rounded-field border border-line bg-ground"
      style={isThirdParty ? { colorScheme: "light", background: "white" } : undefined}
    />
  );
}

/** For a page that refuses to be framed. */
export function OpenInNewTabLink({ href }: { href: string }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={buttonClass("quiet")}>
      <ExternalLink aria-hidden className="size-4.5" />
      {m.frame_own_tab()}
    </a>
  );
}
