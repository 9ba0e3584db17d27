import { Copy, Share2 } from "lucide-react";
import { toast } from "../../ui/toast.ts";
import { m } from "../../messages/messages.js";
import { useProductName } from "../../api/queries/use-config.ts";
import { Button } from "../../ui/button.tsx";
import { generate } from "lean-qr";
import { useMemo } from "react";

/** The quiet zone that readers need, in modules. */
const QUIET = 4;

/** The driver's own link: to share, to copy, and as a code for a friend's camera. */
export function ShareLink({ link }: { link: string }) {
  const product = useProductName();
  const shared = { title: product, text: m.invite_share_text({ product }), url: link };
  const canShare = typeof navigator.share === "function";
  return (
    <section aria-labelledby="invite-link" className="card grid content-start gap-4 p-5">
      <div>
        <h2 id="invite-link" className="text-lg">
          {m.invite_link_title()}
        </h2>
        <p className="mt-1 text-soft">{m.invite_link_text()}</p>
      </div>
      <p
        data-testid="invite-link"
        className="rounded-field bg-sunken px-3 py-2 text-sm wrap-anywhere select-all"
      >
        {link}
      </p>
      <div className="flex flex-wrap gap-3">
        {canShare && (
          // Closing the share sheet is no failure.
          <Button onClick={() => void navigator.share(shared).catch(() => undefined)}>
            <Share2 aria-hidden className="size-4.5" />
            {m.invite_share()}
          </Button>
        )}
        <Button onClick={() => void copyLink(link)}>
          <Copy aria-hidden className="size-4.5" />
          {m.invite_copy()}
        </Button>
      </div>
      <div className="grid justify-items-center gap-2">
        <QrCode text={link} label={m.invite_qr()} />
        <p className="text-sm text-soft">{m.invite_qr_text()}</p>
      </div>
    </section>
  );
}

async function copyLink(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link);
    toast(m.invite_copied());
  } catch {
    toast.error(m.invite_copy_failed());
  }
}

/** A QR code, dark on light in either theme, since readers expect that. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const bitmap = generate(text);
    const modules: string[] = [];
    for (let y = 0; y < bitmap.size; y += 1) {
      for (let x = 0; x < bitmap.size; x += 1)
        if (bitmap.get(x, y)) modules.push(`M${x + QUIET} ${y + QUIET}h1v1h-1z`);
    }
    return { size: bitmap.size + 2 * QUIET, path: modules.join("") };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="aspect-square w-full max-w-52 rounded-field"
    >
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="white" />
      <path d={path} fill="black" />
    </svg>
  );
}
