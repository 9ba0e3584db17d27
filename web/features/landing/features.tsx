import {
  Bell,
  CalendarClock,
  Gift,
  MapPinCheck,
  MessageCircleHeart,
  MessagesSquare,
  Receipt,
  UserPlus,
} from "lucide-react";
import { m } from "../../messages/messages.js";
import { LandingSection } from "./landing-section.tsx";

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
          <li key={name} className="card grid content-start gap-2 p-5">
            <Icon aria-hidden className="size-6" strokeWidth={1.75} />
            <h3 className="text-lg">{name}</h3>
            <p className="text-soft">{text}</p>
          </li>
        ))}
      </ul>
    </LandingSection>
  );
}
