import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { sessionStore } from "../../api/session/session.ts";
import { RegisterLink } from "../account/register-link.tsx";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { ContactCard } from "../support/contact-list.tsx";
import { FIRST_QUESTIONS, QuestionList } from "../support/question-list.tsx";
import { Features, Modes, Steps, Promises, LandingSection } from "./sections.tsx";
import { Hero } from "./hero.tsx";
import { Pricing } from "./pricing.tsx";

/** The landing page, for visitors who have never heard of the product. */
export function Landing() {
  return (
    <main id="content" tabIndex={-1} className="outline-none">
      <Hero />
      <div className="edge-to-edge border-y border-line bg-raised">
        <Steps />
      </div>
      <Modes />
      <Features />
      <div className="edge-to-edge border-y border-line bg-raised">
        <Pricing />
      </div>
      <Promises />
      <LandingSection id="faqs" title={m.faqs_title()} isBeside>
        <QuestionList questions={FIRST_QUESTIONS} />
        <p>
          <Link to="/faqs" className={buttonClass("plain")}>
            {m.landing_all_questions()}
          </Link>
        </p>
      </LandingSection>
      <LandingSection id="contact" title={m.support_title()} text={m.support_text()} isBeside>
        <ContactCard />
      </LandingSection>
      <LastRegisterLink />
    </main>
  );
}

/** The way in once more, after everything that speaks for it. */
function LastRegisterLink() {
  const isSignedIn = Boolean(useSelector(sessionStore));
  if (isSignedIn) return null;
  return (
    <div className="mx-auto flex max-w-(--frame) flex-wrap items-center justify-between gap-4 border-t border-line px-4 py-8 sm:px-6">
      <p className="font-display text-xl font-bold">{m.landing_title()}</p>
      <RegisterLink className={buttonClass("primary", "px-6 text-lg")} />
    </div>
  );
}
