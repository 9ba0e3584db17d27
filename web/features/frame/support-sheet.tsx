import { useSelector } from "@tanstack/react-store";
import { Mail, Megaphone, MessageCircle, Phone, type LucideIcon } from "lucide-react";
import { useState } from "react";
import { m } from "../../messages/messages.js";
import { Sheet } from "../../ui/sheet.tsx";
import { frameStore, openSheet } from "./frame-store.ts";
import { useSupport } from "./use-config.ts";

type Contact = { href: string; Icon: LucideIcon; words: string };

/** How to reach people. What the deployment did not set is not shown. */
export function SupportSheet() {
  const isOpen = useSelector(frameStore, (open) => open === "support");
  const support = useSupport();
  const [roll] = useState(() => Math.random());
  const contacts: Contact[] = [];
  if (support?.email) {
    contacts.push({
      href: `mailto:${support.email}`,
      Icon: Mail,
      words: m.support_email({ email: support.email }),
    });
  }
  if (support?.phone) {
    contacts.push({
      href: `tel:${support.phone}`,
      Icon: Phone,
      words: m.support_phone({ phone: support.phone }),
    });
  }
  // One at random, so that the load spreads over all who answer.
  const number = support?.whatsapp[Math.floor(roll * support.whatsapp.length)];
  if (number) {
    const href = `https://wa.me/${number.replaceAll(/\D/g, "")}`;
    contacts.push({ href, Icon: MessageCircle, words: m.support_whatsapp() });
  }
  if (support?.announcementsUrl) {
    contacts.push({ href: support.announcementsUrl, Icon: Megaphone, words: m.support_announcements() });
  }
  return (
    <Sheet open={isOpen} onClose={() => openSheet(null)} title={m.support_title()}>
      <p className="text-soft">{contacts.length > 0 ? m.support_text() : m.support_none()}</p>
      <ul className="mt-3 grid gap-1">
        {contacts.map(({ href, Icon, words }) => (
          <li key={href}>
            <a
              href={href}
              className="flex min-h-12 items-center gap-3 rounded-field px-3 font-semibold hover:bg-sunken"
            >
              <Icon aria-hidden className="size-5" />
              {words}
            </a>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
