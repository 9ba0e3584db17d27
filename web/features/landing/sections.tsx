import {
  Bell,
  CalendarClock,
  Gift,
  MapPinCheck,
  MessageCircleHeart,
  MessagesSquare,
  Receipt,
  UserPlus,
  CalendarX2,
  HeartHandshake,
  MapPinOff,
  type LucideIcon,
} from "lucide-react";
import { m } from "../../messages/messages.js";
import { useLocale } from "../language/locale.ts";
import { useProductName } from "../../api/queries/use-config.ts";
import type { ReactNode } from "react";
import { DaysBack } from "./days-back.tsx";

/** Of the pictures that `npm run pictures` takes, in CSS pixels. */
const PICTURE = { width: 390, height: 844 };

/** The one picture of the steps that a phone has room for. */
const ON_A_PHONE = "dashboard";

/** The features, one card each. */
export function Features() {
  const features = [
    { Icon: CalendarClock, name: m.feature_filters(), text: m.feature_filters_text() },
    { Icon: MapPinCheck, name: m.feature_arrived(), text: m.feature_arrived_text() },
    { Icon: Bell, name: m.feature_notify(), text: m.feature_notify_text() },
    { Icon: Gift, name: m.feature_points(), text: m.feature_points_text() },
    { Icon: UserPlus, name: m.feature_invite(), text: m.feature_invite_text() },
    { Icon: Receipt, name: m.feature_receipts(), text: m.feature_receipts_text() },
    { Icon: MessagesSquare, name: m.feature_support(), text: m.feature_support_text() },
    { Icon: MessageCircleHeart, name: m.feature_feedback(), text: m.feature_feedback_text() },
  ];
  return (
    <LandingSection id="features" title={m.landing_features_title()} text={m.landing_features_text()}>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {features.map(({ Icon, name, text }) => (
          <li
            key={name}
            className="card grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-3 gap-y-1 p-4 sm:grid-cols-1 sm:gap-2 sm:p-5"
          >
            <Icon aria-hidden className="size-6" strokeWidth={1.75} />
            <h3 className="text-lg">{name}</h3>
            <p className="text-sm text-soft max-sm:col-start-2 sm:text-base">{text}</p>
          </li>
        ))}
      </ul>
    </LandingSection>
  );
}

/** The modes, and what none of them does. */
export function Modes() {
  const modes = [
    { name: m.mode_lucrative(), text: m.mode_lucrative_text() },
    { name: m.mode_secure(), text: m.mode_secure_text() },
    { name: m.mode_masacre(), text: m.mode_masacre_text() },
  ];
  return (
    <LandingSection id="modes" title={m.landing_modes_title()} text={m.landing_modes_text()}>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,13rem),1fr))] gap-3">
        {modes.map(({ name, text }) => (
          <div key={name} className="card grid content-start gap-1 p-4 sm:p-5">
            <dt className="font-display text-lg font-semibold">{name}</dt>
            <dd className="text-soft">{text}</dd>
          </div>
        ))}
      </dl>
    </LandingSection>
  );
}

/** How it works, with pictures of the product on a phone. */
export function Steps() {
  const locale = useLocale();
  const steps = [
    { picture: "filters", title: m.landing_step_filters(), text: m.landing_step_filters_text() },
    { picture: "dashboard", title: m.landing_step_on(), text: m.landing_step_on_text() },
    { picture: "blocks", title: m.landing_step_why(), text: m.landing_step_why_text() },
  ];
  return (
    <LandingSection id="steps" title={m.landing_how_title()} text={m.landing_how_text()}>
      <ol className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,13rem),1fr))] gap-8 md:gap-6 lg:gap-10">
        {steps.map(({ picture, title, text }, index) => (
          <li key={picture} className="row-span-2 grid grid-rows-subgrid content-start gap-4">
            <div className="grid content-start gap-2">
              <span className="figures font-display text-2xl leading-none font-bold text-soft" aria-hidden>
                {index + 1}
              </span>
              <h3 className="text-xl">{title}</h3>
              <p className="text-soft">{text}</p>
            </div>
            {/* The frame stays where the picture doesn't come, as on the device without a connection. */}
            <div
              className={`aspect-[39/60] w-full max-w-96 overflow-hidden rounded-card border border-line bg-sunken shadow-lg ${picture === ON_A_PHONE ? "max-md:aspect-[39/48]" : "max-md:hidden"}`}
            >
              <img
                src={`/pictures/${picture}-phone-${locale}.webp`}
                alt={m.landing_step_picture({ title })}
                {...PICTURE}
                loading="lazy"
                decoding="async"
                // Without the mark of a broken picture.
                onError={({ currentTarget }) => currentTarget.classList.add("opacity-0")}
                className="size-full object-cover object-top"
              />
            </div>
          </li>
        ))}
      </ol>
    </LandingSection>
  );
}

/** The promises that the product can keep, and does. */
export function Promises() {
  const product = useProductName();
  const promises = [
    { Icon: CalendarX2, name: m.landing_promise_overlap(), text: m.landing_promise_overlap_text() },
    { Icon: MapPinOff, name: m.landing_promise_place(), text: m.landing_promise_place_text() },
  ];
  return (
    <LandingSection id="promises" title={m.landing_promises_title()}>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,13rem),1fr))] gap-x-10 gap-y-6">
        {promises.map(({ Icon, name, text }) => (
          <Promised key={name} {...{ Icon, name, text }} />
        ))}
        <li className={PROMISED}>
          <HeartHandshake aria-hidden className="size-6" strokeWidth={1.75} />
          <DaysBack>
            {(length) => (
              <>
                <h3 className="text-lg">
                  {length === null ? m.landing_promise_told() : m.landing_promise_days()}
                </h3>
                <p className="text-soft">
                  {length === null
                    ? m.landing_promise_told_text({ product })
                    : m.landing_promise_days_text({ product, length })}
                </p>
              </>
            )}
          </DaysBack>
        </li>
      </ul>
    </LandingSection>
  );
}

const PROMISED = "grid content-start gap-2 border-t-2 border-ink pt-4";

function Promised({ Icon, name, text }: { Icon: LucideIcon; name: string; text: string }) {
  return (
    <li className={PROMISED}>
      <Icon aria-hidden className="size-6" strokeWidth={1.75} />
      <h3 className="text-lg">{name}</h3>
      <p className="text-soft">{text}</p>
    </li>
  );
}

/** A section of the landing page; the header links to its `id`. One that follows another on the same ground is nearer to it. */
export function LandingSection({
  id,
  title,
  text,
  isBeside = false,
  children,
}: {
  id: string;
  title: string;
  text?: string;
  /** On a desk the title stands beside what is narrow enough to read. */
  isBeside?: boolean;
  children: ReactNode;
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={`mx-auto grid max-w-(--frame) scroll-mt-15 grid-cols-1 gap-6 px-4 py-10 sm:px-6 lg:py-16 [section+&]:pt-4 lg:[section+&]:pt-8 ${isBeside ? "lg:grid-cols-[2fr_3fr] lg:gap-16" : ""}`}
    >
      <div className="grid content-start gap-2">
        <h2 id={`${id}-title`} className="text-3xl">
          {title}
        </h2>
        {text && <p className="max-w-prose text-lg leading-normal text-soft">{text}</p>}
      </div>
      <div className="grid grid-cols-1 content-start gap-6">{children}</div>
    </section>
  );
}
