import { useProductName } from "../../api/queries/use-config.ts";
import { m } from "../../messages/messages.js";
import { OpenInNewTabLink, SandboxedFrame } from "../../ui/sandboxed-frame.tsx";

/** The platform's selfie page, and a way to it where it refuses to be framed. */
export function SelfieFrame({ url }: { url: string }) {
  const product = useProductName();
  return (
    <div className="grid gap-3">
      <p className="text-sm text-soft">{m.selfie_text({ product })}</p>
      <SandboxedFrame src={url} title={m.selfie_title()} allow="camera" isThirdParty />
      <OpenInNewTabLink href={url} />
    </div>
  );
}
