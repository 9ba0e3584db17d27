import { Megaphone, MessageCircle, MessagesSquare } from "lucide-react";
import { useState, type ReactNode } from "react";
import { m } from "../../messages/messages.js";
import { formatPhone } from "../../../locales/phone-number.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { interpolate } from "../../ui/interpolate.tsx";
import { contactsCase, factToken, SERVED_PARTS } from "../../../worker/contract/served-cases.ts";
import { phoneLink, pickRandom, whatsappLink } from "../../../worker/contract/contact-links.ts";
import { ServedPart } from "../../prerender/served-part.tsx";
import { useSupport } from "../../api/queries/use-config.ts";
import { useOpenChat } from "../chat/use-open-chat.ts";

const ROW = "flex min-h-12 items-center gap-3 rounded-field px-3 font-semibold hover:bg-sunken";

/** A long word in large text on a narrow phone has the whole line. */
const ICON = "size-5 @max-[9rem]:hidden";

/** The support contacts, with the chat where it is offered; those that the deployment didn't configure are left out. */
export function ContactList() {
  return (
    <>
      <PublicContacts />
      <ChatRow />
    </>
  );
}

/** The same on a page, with advice. The chat, which a page learns of last, has nothing below it to move. */
export function ContactCard() {
  return (
    <div className="card p-5">
      <PublicContacts />
      <ContactAdvice />
      <ChatRow />
    </div>
  );
}

function ChatRow() {
  return (
    <ul className="@container -mx-3 mt-2 empty:hidden">
      <ChatButton className={ROW} />
    </ul>
  );
}

/** The contacts for everybody. */
function PublicContacts() {
  const support = useSupport();
  const [roll] = useState(() => Math.random());
  const number = support && pickRandom(support.whatsapp, roll);
  return (
    <ServedPart name={SERVED_PARTS.contacts} cases={contactCases} fallback={<ContactSkeleton />}>
      {support && (
        <Contacts
          {...support}
          phone={support.phone ? { text: formatPhone(support.phone), link: phoneLink(support.phone) } : null}
          whatsappUrl={number ? whatsappLink(number) : null}
        />
      )}
    </ServedPart>
  );
}

type GivenContacts = {
  email: string | null;
  phone: { text: string; link: string } | null;
  whatsappUrl: string | null;
  announcementsUrl: string | null;
};

/** Each choice of contacts that a deployment can have set. */
function contactCases(): Record<string, ReactNode> {
  const choices = [true, false].flatMap((email) =>
    [true, false].flatMap((phone) =>
      [true, false].flatMap((whatsapp) =>
        [true, false].map((announcements) => ({ email, phone, whatsapp, announcements })),
      ),
    ),
  );
  const token = (isGiven: boolean, name: string) => (isGiven ? factToken(name) : null);
  return Object.fromEntries(
    choices.map((given) => [
      contactsCase(given),
      <Contacts
        key=""
        email={token(given.email, "email")}
        phone={given.phone ? { text: factToken("phone"), link: factToken("phone-link") } : null}
        whatsappUrl={token(given.whatsapp, "whatsapp")}
        announcementsUrl={token(given.announcements, "announcements")}
      />,
    ]),
  );
}

function Contacts({ email, phone, whatsappUrl, announcementsUrl }: GivenContacts) {
  const hasNone = !email && !phone && !whatsappUrl && !announcementsUrl;
  return (
    <div className="@container grid grid-cols-1 gap-2">
      {hasNone && <p className="text-soft">{m.support_none()}</p>}
      <MoreInfo email={email} phone={phone} />
      <ul className="-mx-3 grid gap-1 empty:hidden">
        {whatsappUrl && (
          <li>
            <a href={whatsappUrl} target="_blank" rel="noreferrer" className={ROW}>
              <MessageCircle aria-hidden className={ICON} />
              {m.support_whatsapp()}
            </a>
          </li>
        )}
        {announcementsUrl && (
          <li>
            <a href={announcementsUrl} target="_blank" rel="noreferrer" className={ROW}>
              <Megaphone aria-hidden className={ICON} />
              {m.support_announcements()}
            </a>
          </li>
        )}
      </ul>
    </div>
  );
}

/** As tall as a list of every contact, however large the text, so that what is below it stays there. */
function ContactSkeleton() {
  return (
    <div aria-hidden className="relative">
      <Skeleton className="absolute inset-0" />
      <div className="@container invisible grid grid-cols-1 gap-2">
        <MoreInfo email="help@example.com" phone={{ text: "+1 (555) 010-0190", link: "" }} />
        <ul className="-mx-3 grid gap-1">
          <li className={ROW}>{m.support_whatsapp()}</li>
          <li className={ROW}>{m.support_announcements()}</li>
        </ul>
      </div>
    </div>
  );
}

function MoreInfo({ email, phone }: Pick<GivenContacts, "email" | "phone">) {
  const slots = {
    email: email && <ContactLink href={`mailto:${email}`}>{email}</ContactLink>,
    phone: phone && (
      <ContactLink href={phone.link}>
        <span className="text-[length:min(1em,9.2vw)] whitespace-nowrap">{phone.text}</span>
      </ContactLink>
    ),
  };
  const placeholders = { email: "{email}", phone: "{phone}" };
  if (email && phone) return <p>{interpolate(m.support_more(placeholders), slots)}</p>;
  if (email) return <p>{interpolate(m.support_more_email(placeholders), slots)}</p>;
  if (phone) return <p>{interpolate(m.support_more_phone(placeholders), slots)}</p>;
  return null;
}

function ContactLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="py-2.5 font-semibold wrap-anywhere underline underline-offset-4">
      {children}
    </a>
  );
}

/** Advice on a message to support. */
function ContactAdvice() {
  const advice = [m.contact_advice_what(), m.contact_advice_when(), m.contact_advice_never()];
  return (
    <section className="mt-5 grid gap-2 border-t border-line pt-5">
      <h2 className="text-lg">{m.contact_advice_title()}</h2>
      <ul className="grid max-w-prose list-disc gap-1 pl-5 text-soft">
        {advice.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}

/** Opens the support chat, where it is offered to the driver. */
function ChatButton({ className }: { className: string }) {
  const { isOffered, open, isPending, isError } = useOpenChat();
  if (!isOffered) return null;
  return (
    <li>
      <button type="button" className={`${className} w-full`} aria-disabled={isPending} onClick={open}>
        <MessagesSquare aria-hidden className="size-5 @max-[9rem]:hidden" />
        {isPending ? m.support_chat_opening() : m.support_chat()}
      </button>
      {isError && (
        <p role="alert" className="px-3 text-sm font-semibold text-bad">
          {m.support_chat_failed()}
        </p>
      )}
    </li>
  );
}
