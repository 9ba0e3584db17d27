import { createFileRoute, useLocation } from "@tanstack/react-router";
import { QuestionLinkScreen } from "../features/questions/question-link-screen.tsx";

export const Route = createFileRoute("/q")({ component: QuestionLink });

function QuestionLink() {
  const hash = useLocation({ select: (location) => location.hash });
  return <QuestionLinkScreen hash={hash} />;
}
