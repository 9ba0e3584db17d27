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
      <ol className="grid gap-8 md:grid-cols-3 md:gap-6 lg:gap-10">
        {steps.map(({ picture, title, text }, index) => (
          <li key={picture} className="grid content-start gap-4">
            <div className="grid gap-2">
              <span className="figures font-display text-2xl leading-none font-bold text-soft" aria-hidden>
                {index + 1}
              </span>
              <h3 className="text-xl">{title}</h3>
              <p className="text-soft">{text}</p>
            </div>
            <img
              src={`/pictures/${picture}-phone-${locale}.webp`}
              alt={m.landing_step_picture({ title })}
              {...PICTURE}
              loading="lazy"
              decoding="async"
              className="aspect-[39/60] w-full max-w-80 justify-self-center rounded-card border border-line object-cover object-top shadow-lg"
            />
          </li>
        ))}
      </ol>
    </LandingSection>
  );
}
