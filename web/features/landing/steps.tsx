import { m } from "../../messages/messages.js";
import { useLocale } from "../language/locale.ts";
import { LandingSection } from "./landing-section.tsx";

/** Of the pictures that `npm run pictures` takes, in CSS pixels. */
const PICTURE = { width: 390, height: 844 };

/** How it works, with pictures of the product on a phone. */
export function Steps() {
  const locale = useLocale();
  const steps = [
    { picture: "filters", title: m.landing_step_filters(), text: m.landing_step_filters_text() },
    { picture: "dashboard", title: m.landing_step_on(), text: m.landing_step_on_text() },
    { picture: "blocks", title: m.landing_step_why(), text: m.landing_step_why_text() },
  ];
  return (
    <LandingSection id="how" title={m.landing_how_title()} text={m.landing_how_text()}>
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
            <div className="aspect-[39/60] w-full max-w-96 overflow-hidden rounded-card border border-line bg-sunken shadow-lg">
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
