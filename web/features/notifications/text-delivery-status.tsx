import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { MessageSquare, MessageSquareWarning } from "lucide-react";
import type { TextDelivery, TextProblem } from "../../../db/shapes/text-delivery.ts";
import { sendTestText, textsQuery } from "../../api/queries/notifications.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { formatPhoneText } from "../language/format.ts";

const PROBLEMS = {
  landline: m.notify_problem_landline,
  unknown_number: m.notify_problem_unknown_number,
  blocked: m.notify_problem_blocked,
  unreachable: m.notify_problem_unreachable,
  filtered: m.notify_problem_filtered,
  other: m.notify_problem_other,
} satisfies Record<TextProblem, () => string>;

/** Whether texts reach the driver: if not, why and what to do, and a test. */
export function TextDeliveryStatus() {
  const queryClient = useQueryClient();
  const { phoneNumber, delivery, sender, dailyLimit } = useSuspenseQuery(textsQuery).data;
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: sendTestText,
    onSettled: () => queryClient.invalidateQueries({ queryKey: textsQuery.queryKey }),
  });
  const isOk = delivery.status === "ok";
  const Icon = isOk ? MessageSquare : MessageSquareWarning;
  return (
    <div
      className="grid grid-cols-1 gap-3 border-t border-line pt-4"
      data-testid="texts"
      data-status={delivery.status}
    >
      <div className="grid grid-cols-1 gap-1">
        <h3 className="flex items-center gap-2 text-base">
          <Icon aria-hidden className={`size-5 ${isOk ? "text-soft" : "text-bad"}`} />
          {m.notify_texts_title()}
        </h3>
        <output className="grid grid-cols-1 gap-1 text-sm text-soft">
          <span className={isOk ? "figures" : "figures font-semibold text-ink"}>
            {statusMessage(delivery, formatPhoneText(phoneNumber))}
          </span>
          <span>{adviceFor(delivery, { sender, dailyLimit })}</span>
        </output>
      </div>
      {delivery.status !== "stopped" && (
        <Button
          className="justify-self-start"
          aria-disabled={isPending}
          onClick={() => isPending || mutate()}
        >
          {isPending ? m.notify_texts_testing() : m.notify_texts_test()}
        </Button>
      )}
      <output className="text-sm text-soft empty:sr-only">{isSuccess && m.notify_texts_tested()}</output>
      {error && (
        <p role="alert" className="text-sm font-semibold text-bad">
          {errorMessage(error)}
        </p>
      )}
    </div>
  );
}

function statusMessage({ status }: TextDelivery, phone: string): string {
  switch (status) {
    case "ok":
      return m.notify_texts_to({ phone });
    case "failing":
      return m.notify_texts_failing({ phone });
    case "paused":
      return m.notify_texts_paused({ phone });
    case "stopped":
      return m.notify_texts_stopped({ phone });
    case "other":
      return m.notify_texts_other();
  }
}

function adviceFor(
  delivery: TextDelivery,
  { sender, dailyLimit }: { sender: string | null; dailyLimit: number },
): string {
  if (delivery.status === "ok" || delivery.status === "other")
    return m.notify_texts_cap({ figure: String(dailyLimit) });
  if (delivery.status !== "stopped") return PROBLEMS[delivery.problem]();
  return sender === null
    ? m.notify_texts_start_reply()
    : m.notify_texts_start({ sender: formatPhoneText(sender) });
}
